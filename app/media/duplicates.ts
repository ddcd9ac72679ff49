/** Asks what to do with uploads that duplicate a file in the library. */

export type DuplicateChoice = 'existing' | 'upload';

/** Files chosen together. One answer can apply to all of them. */
export interface UploadBatch {
  size: number;
  choice?: DuplicateChoice;
}

export interface Duplicate {
  file: File;
  /** Display name of the existing file. */
  title: string;
  batch?: UploadBatch | undefined;
}

interface Question extends Duplicate {
  answer: (choice: DuplicateChoice, isForAll?: boolean) => void;
}

let questions: readonly Question[] = [];
const listeners = new Set<() => void>();

function setQuestions(next: readonly Question[]): void {
  questions = next;
  for (const listener of listeners) listener();
}

/** Asks which file to use. Resolves to 'upload' if no dialog is mounted. */
export function askAboutDuplicate(duplicate: Duplicate): Promise<DuplicateChoice> {
  const { batch } = duplicate;
  if (batch?.choice) return Promise.resolve(batch.choice);
  if (listeners.size === 0) return Promise.resolve('upload');
  return new Promise((resolve) => {
    const question: Question = {
      ...duplicate,
      answer: (choice, isForAll = false) => {
        const otherQuestions =
          isForAll && batch ? questions.filter((other) => other !== question && other.batch === batch) : [];
        if (isForAll && batch) batch.choice = choice;
        setQuestions(questions.filter((other) => other !== question));
        resolve(choice);
        for (const other of otherQuestions) other.answer(choice);
      },
    };
    setQuestions([...questions, question]);
  });
}

/** Returns the oldest open question, for useSyncExternalStore(). */
export function currentQuestion(): Question | undefined {
  return questions[0];
}

export function subscribeToQuestions(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
