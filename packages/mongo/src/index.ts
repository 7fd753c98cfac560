export { MongoSession, type MongoSessionOptions } from './mongo-session.ts';
