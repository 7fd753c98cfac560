export { type DynamoDBEngine, type RunningDynamoDB, startDynamoDB } from './dynamodb.ts';
export { type MongoEngine, type RunningMongo, startMongo } from './mongo.ts';
export {
  type ApiItem,
  DEFAULT_PROJECT,
  type Fault,
  type LoggedRequest,
  type Model,
  type ModelCall,
  type Operation,
  type RunningOpenAI,
  startOpenAI,
} from './openai/index.ts';
export { FIRST_START_MS } from './python-package.ts';
export { type RunningRedis, startRedis } from './redis.ts';
export { type RunningCluster, startRedisCluster } from './redis-cluster.ts';
export { ServerUnavailableError } from './source.ts';
export { whyAbsent } from './why-absent.ts';
