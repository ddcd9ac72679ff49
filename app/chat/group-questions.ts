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
    const trigrams = toTrigrams(question.question);
    const group = groups.find((other) => diceCoefficient(trigrams, other.trigrams) >= MIN_SIMILARITY);
    if (group) group.questions.push(question);
    else groups.push({ trigrams, questions: [question] });
  }
  return groups
    .map((group) => ({ questions: group.questions }))
    .sort((a, b) => b.questions.length - a.questions.length);
}

/**
 * Removes questions that are older than a published answer to a question in their group. Newer questions remain,
 * because the answer did not help.
 */
export function excludeAnswered<Question extends { question: string; asked_at: string }>(
  groups: readonly QuestionGroup<Question>[],
  answers: readonly { question: string; updated_at: string }[],
): QuestionGroup<Question>[] {
  const answerSets = answers.map(({ question, updated_at }) => ({
    trigrams: toTrigrams(question),
    since: Date.parse(updated_at),
  }));
  return groups.flatMap(({ questions }) => {
    const trigramSets = questions.map(({ question }) => toTrigrams(question));
    const matching = answerSets.filter(({ trigrams }) =>
      trigramSets.some((set) => diceCoefficient(set, trigrams) >= MIN_SIMILARITY),
    );
    const answeredAt = Math.max(...matching.map(({ since }) => since));
    const [newest, ...olderQuestions] = questions.filter(({ asked_at }) => Date.parse(asked_at) > answeredAt);
    return newest ? [{ questions: [newest, ...olderQuestions] }] : [];
  });
}

/** Number of characters of a question that are compared. */
const MAX_COMPARED_LENGTH = 300;

/** Returns the trigrams of a text: ' fe', 'fee' and 'ee ' for 'fee?'. */
function toTrigrams(text: string): Set<string> {
  const words = text
    .slice(0, MAX_COMPARED_LENGTH)
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [text];
  const trigramList = words.flatMap((word) => {
    const padded = ` ${word} `;
    return Array.from({ length: padded.length - 2 }, (_, start) => padded.slice(start, start + 3));
  });
  return new Set(trigramList);
}

/** Returns the Dice coefficient of two sets, from 0 to 1. */
function diceCoefficient(first: ReadonlySet<string>, second: ReadonlySet<string>): number {
  let commonCount = 0;
  for (const trigram of first) if (second.has(trigram)) commonCount += 1;
  return (2 * commonCount) / (first.size + second.size);
}
