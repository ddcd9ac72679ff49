/** Files that are uploaded although they are in the library: who uploads one is asked, wherever it happens. */

export interface Duplicate {
  file: File;
  /** What the present file is known by. */
  title: string;
}

export type DuplicateChoice = 'present' | 'upload';

interface Question extends Duplicate {
  answer: (choice: DuplicateChoice) => void;
}

let questions: readonly Question[] = [];
const listeners = new Set<() => void>();

function change(next: readonly Question[]): void {
  questions = next;
  for (const listener of listeners) listener();
}

/** Which file to use. Where nobody shows the question the new one is uploaded. */
export function askAboutDuplicate(duplicate: Duplicate): Promise<DuplicateChoice> {
  if (listeners.size === 0) return Promise.resolve('upload');
  return new Promise((resolve) => {
    const question: Question = {
      ...duplicate,
      answer: (choice) => {
        change(questions.filter((other) => other !== question));
        resolve(choice);
      },
    };
    change([...questions, question]);
  });
}

/** The question that waits longest, for useSyncExternalStore(). */
export function currentQuestion(): Question | undefined {
  return questions[0];
}

export function subscribeToQuestions(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
