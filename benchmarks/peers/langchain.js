export { DynamoDBChatMessageHistory } from '@langchain/community/stores/message/dynamodb';
export { RedisChatMessageHistory as IoredisChatMessageHistory } from '@langchain/community/stores/message/ioredis';
export { AIMessage, HumanMessage, mapChatMessagesToStoredMessages } from '@langchain/core/messages';
export { MongoDBChatMessageHistory } from '@langchain/mongodb';
export { RedisChatMessageHistory } from '@langchain/redis';
