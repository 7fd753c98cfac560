export { DynamoDBStore } from '@mastra/dynamodb';
export { MongoDBStore } from '@mastra/mongodb';
export { RedisStore } from '@mastra/redis';
