/** Longest passage that is one sentence; the rest of a longer one is left out. */
const MAX_LENGTH = 2000;

/** Splits a text into its sentences as they stand in it, each once: at line ends, and where a sentence ends within a line. */
export function sentencesOf(text: string): string[] {
  const sentences = text.split(/\r?\n/).flatMap((line) => line.split(/(?<=[.!?…]["”»')\]]*)\s+(?=\S)/));
  return [...new Set(sentences.map((sentence) => sentence.trim().slice(0, MAX_LENGTH)).filter(Boolean))];
}
