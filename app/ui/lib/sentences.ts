/** Maximum length of a sentence. Longer sentences are truncated. */
const MAX_LENGTH = 2000;

/** Splits a text into unique sentences, at line ends and sentence ends. */
export function splitSentences(text: string): string[] {
  const sentences = text.split(/\r?\n/).flatMap((line) => line.split(/(?<=[.!?…]["”»')\]]*)\s+(?=\S)/));
  return [...new Set(sentences.map((sentence) => sentence.trim().slice(0, MAX_LENGTH)).filter(Boolean))];
}
