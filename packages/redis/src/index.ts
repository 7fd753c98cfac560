export type { RedisClient } from './connection.ts';
export { RedisSession, type RedisSessionOptions } from './redis-session.ts';
