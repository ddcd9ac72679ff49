/** Question of a visitor, with the criteria for its answer. */
export interface AskedQuestion {
  /** The visitor's messages. If there are several, the last answer of the conversation is judged. */
  ask: string | string[];
  /** Text that the answer must contain. */
  must?: (string | RegExp)[];
  /** Text that would be irrelevant in the answer. */
  not?: (string | RegExp)[];
  /** Text that would be wrong about us, or attribute a client's facts to us. Such an answer always fails. */
  never?: (string | RegExp)[];
  /** True if the chat may accept contact details. */
  leads?: true;
}

/** Questions by subject. */
export type QuestionSet = Record<string, AskedQuestion[]>;
