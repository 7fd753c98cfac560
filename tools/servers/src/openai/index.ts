export type { ApiItem } from './check-items.ts';
export type { Conversation } from './conversations.ts';
export type { Fault, Operation } from './faults.ts';
export { DEFAULT_PROJECT, type RunningOpenAI, startOpenAI } from './openai-server.ts';
export type { LoggedRequest } from './request-log.ts';
export type { Model, ModelCall } from './responses.ts';
