/** Ranks texts by textbook BM25 over plain words, as the baseline for the assistant's search. */

const K1 = 1.2;
const B = 0.75;

export interface Ranked {
  id: number;
  score: number;
}

/** Returns a function that finds the texts with any word of a question, best first. `id` is the index of a text. */
export function textbookBm25(texts: readonly string[]): (question: string) => Ranked[] {
  const documents = texts.map((text) => {
    const words = wordsOf(text);
    const counts = new Map<string, number>();
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    return { counts, length: words.length };
  });
  const documentCounts = new Map<string, number>();
  for (const { counts } of documents)
    for (const word of counts.keys()) documentCounts.set(word, (documentCounts.get(word) ?? 0) + 1);
  const meanLength = documents.reduce((sum, { length }) => sum + length, 0) / documents.length;
  const rarity = (word: string) => {
    const count = documentCounts.get(word) ?? 0;
    return Math.log(1 + (documents.length - count + 0.5) / (count + 0.5));
  };
  return (question) => {
    const queryWords = wordsOf(question);
    return documents
      .map(({ counts, length }, id) => {
        const gain = (word: string) => {
          const count = counts.get(word) ?? 0;
          return (rarity(word) * count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / meanLength));
        };
        return { id, score: queryWords.reduce((sum, word) => sum + gain(word), 0) };
      })
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score);
  };
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
