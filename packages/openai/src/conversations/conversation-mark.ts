/**
 * Marks a session that is a conversation of the Conversations API. In the global registry, so that two copies of this
 * package recognise each other's; and a mark rather than the class, so that who compacts need not load the class.
 */
export const CONVERSATION: unique symbol = Symbol.for('@sessions/openai.conversation');
