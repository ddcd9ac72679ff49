import { useSyncExternalStore } from 'react';
import { LoadFailure, lazy } from '../ui/lazy.tsx';
import { currentQuestion, subscribeToQuestions } from './duplicates.ts';

const DuplicateDialog = lazy(() => import('./duplicate-dialog.tsx'), { Failed: LoadFailure });

/** Renders the dialog about duplicate files for all uploads of the admin area. */
export function AskAboutDuplicates() {
  const question = useSyncExternalStore(subscribeToQuestions, currentQuestion, () => undefined);
  return question ? <DuplicateDialog key={question.file.name} duplicate={question} onAnswer={question.answer} /> : null;
}
