/** What a visitor asks, and how the answer is judged. */
export interface AskedQuestion {
  /** What the visitor writes; several messages are a conversation, of which the last answer is judged. */
  ask: string | string[];
  /** What the answer has to have. */
  must?: (string | RegExp)[];
  /** What would be beside the point. */
  not?: (string | RegExp)[];
  /** What would be wrong about us, or another's presented as ours. No answer may. */
  never?: (string | RegExp)[];
  /** The owner lets the chat take addresses. */
  leads?: true;
}

/** Questions by what they are about. */
export type QuestionSet = Record<string, AskedQuestion[]>;
