import { useSyncExternalStore } from 'react';
import { LoadFailure, lazy } from '../ui/lazy.tsx';
import { currentQuestion, subscribeToQuestions } from './duplicates.ts';

const DuplicateDialog = lazy(() => import('./duplicate-dialog.tsx'), { Failed: LoadFailure });

/** Shows the question about a file that is in the library already, whichever form it is uploaded in. */
export function AskAboutDuplicates() {
  const question = useSyncExternalStore(subscribeToQuestions, currentQuestion, () => undefined);
  return question ? <DuplicateDialog key={question.file.name} duplicate={question} onAnswer={question.answer} /> : null;
}
