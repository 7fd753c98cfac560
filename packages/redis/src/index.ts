export { type RedisClient, RedisSession, type RedisSessionOptions } from './redis-session.ts';
