/** Question of a visitor, and the judgement of its answer. */
export interface AskedQuestion {
  /** Words of the visitor; several messages are a conversation, of which the last answer is judged. */
  ask: string | string[];
  /** Words that the answer must have. */
  must?: (string | RegExp)[];
  /** Words that would be beside the point. */
  not?: (string | RegExp)[];
  /** Words that would be wrong about us, or another's presented as ours. No answer may have them. */
  never?: (string | RegExp)[];
  /** The owner lets the chat take addresses. */
  leads?: true;
}

/** Questions by what they are about. */
export type QuestionSet = Record<string, AskedQuestion[]>;
