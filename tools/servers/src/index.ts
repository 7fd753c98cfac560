export { type DynamoDBEngine, type RunningDynamoDB, startDynamoDB } from './dynamodb.ts';
export { type MongoEngine, type RunningMongo, startMongo } from './mongo.ts';
export { type RunningServer, startRedis } from './redis.ts';
export { type RunningCluster, startRedisCluster } from './redis-cluster.ts';
export { ServerUnavailableError } from './source.ts';
