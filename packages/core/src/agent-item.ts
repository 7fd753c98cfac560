// biome-ignore lint/suspicious/noTsIgnore: the SDK is an optional peer; without it this type is unresolved, which the next one turns into a record
/** @ts-ignore the official SDK may not be installed */
type SdkItem = import('@openai/agents').AgentInputItem;

/**
 * What sessions hold by default: the official Agents SDK's `AgentInputItem` where `@openai/agents` is installed,
 * so that a session can be handed to `run()` as it is; otherwise any record.
 */
export type AgentItem = [0] extends [1 & SdkItem] ? Record<string, unknown> : SdkItem;
