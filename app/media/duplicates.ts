/** Files that are uploaded although they are in the library: who uploads one is asked, wherever it happens. */

export type DuplicateChoice = 'present' | 'upload';

/** Files that were chosen together. One answer can be for all of them. */
export interface UploadBatch {
  size: number;
  choice?: DuplicateChoice;
}

export interface Duplicate {
  file: File;
  /** Title under which people know the present file. */
  title: string;
  batch?: UploadBatch | undefined;
}

interface Question extends Duplicate {
  answer: (choice: DuplicateChoice, isForAll?: boolean) => void;
}

let questions: readonly Question[] = [];
const listeners = new Set<() => void>();

function change(next: readonly Question[]): void {
  questions = next;
  for (const listener of listeners) listener();
}

/** Asks which file to use. If no screen shows the question, the new one is uploaded. */
export function askAboutDuplicate(duplicate: Duplicate): Promise<DuplicateChoice> {
  const { batch } = duplicate;
  if (batch?.choice) return Promise.resolve(batch.choice);
  if (listeners.size === 0) return Promise.resolve('upload');
  return new Promise((resolve) => {
    const question: Question = {
      ...duplicate,
      answer: (choice, isForAll = false) => {
        const others =
          isForAll && batch ? questions.filter((other) => other !== question && other.batch === batch) : [];
        if (isForAll && batch) batch.choice = choice;
        change(questions.filter((other) => other !== question));
        resolve(choice);
        for (const other of others) other.answer(choice);
      },
    };
    change([...questions, question]);
  });
}

/** Returns the question that waits longest, for useSyncExternalStore(). */
export function currentQuestion(): Question | undefined {
  return questions[0];
}

export function subscribeToQuestions(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
