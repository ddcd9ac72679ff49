export interface QuestionGroup<Question> {
  /** Newest first. */
  questions: [Question, ...Question[]];
}

/** Questions with at least this trigram similarity are grouped. */
const MIN_SIMILARITY = 0.5;

/**
 * Groups similar questions by trigrams, ignoring case, punctuation and typos. Sorts groups by size, then by their
 * newest question.
 *
 * @param questions newest first
 */
export function groupQuestions<Question extends { question: string }>(
  questions: readonly Question[],
): QuestionGroup<Question>[] {
  const groups: { trigrams: Set<string>; questions: [Question, ...Question[]] }[] = [];
  for (const question of questions) {
    const trigrams = trigramsOf(question.question);
    const group = groups.find((other) => diceCoefficient(trigrams, other.trigrams) >= MIN_SIMILARITY);
    if (group) group.questions.push(question);
    else groups.push({ trigrams, questions: [question] });
  }
  return groups
    .map(({ questions: alike }) => ({ questions: alike }))
    .sort((a, b) => b.questions.length - a.questions.length);
}

/**
 * Removes questions of a group that are older than a published answer to one of them. Newer ones remain, because the
 * answer did not help.
 */
export function withoutAnswered<Question extends { question: string; asked_at: string }>(
  groups: readonly QuestionGroup<Question>[],
  answers: readonly { question: string; updated_at: string }[],
): QuestionGroup<Question>[] {
  const known = answers.map(({ question, updated_at }) => ({
    trigrams: trigramsOf(question),
    since: Date.parse(updated_at),
  }));
  return groups.flatMap(({ questions }) => {
    const asked = questions.map(({ question }) => trigramsOf(question));
    const fitting = known.filter(({ trigrams }) =>
      asked.some((one) => diceCoefficient(one, trigrams) >= MIN_SIMILARITY),
    );
    const answeredAt = Math.max(...fitting.map(({ since }) => since));
    const [newest, ...others] = questions.filter(({ asked_at }) => Date.parse(asked_at) > answeredAt);
    return newest ? [{ questions: [newest, ...others] }] : [];
  });
}

/** Number of compared characters. */
const COMPARED = 300;

/** Returns trigrams: ' fe', 'fee' and 'ee ' for 'fee?'. */
function trigramsOf(text: string): Set<string> {
  const words = text
    .slice(0, COMPARED)
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [text];
  const threes = words.flatMap((word) => {
    const padded = ` ${word} `;
    return Array.from({ length: padded.length - 2 }, (_, at) => padded.slice(at, at + 3));
  });
  return new Set(threes);
}

/** Dice coefficient of two sets, from 0 to 1. */
function diceCoefficient(some: ReadonlySet<string>, others: ReadonlySet<string>): number {
  let common = 0;
  for (const three of some) if (others.has(three)) common += 1;
  return (2 * common) / (some.size + others.size);
}
