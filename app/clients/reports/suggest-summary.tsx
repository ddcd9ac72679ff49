import { useQuery } from '@tanstack/react-query';
import { useFormContext } from 'react-hook-form';
import { Button } from '../../ui/button.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import type { Report } from './reports.ts';
import { suggestSummaryMutation, summariesAvailableQuery } from './suggested-summary.ts';

/** Fills an empty summary with a generated draft, if a language model is configured. A person edits and saves it. */
export function SuggestSummary({ report }: { report: Report }) {
  const { watch, getValues, setValue, setFocus } = useFormContext<{ summary: string }>();
  const { data: isAvailable } = useQuery(summariesAvailableQuery);
  const suggest = useMutationWithToasts(suggestSummaryMutation, { failure: 'Could not write a summary' });
  const isEmpty = watch('summary').trim() === '';
  if (!isAvailable) return null;
  const write = () =>
    suggest.mutate(report, {
      onSuccess({ summary }) {
        // Keep text typed while the request was running.
        if (getValues('summary').trim() !== '') return;
        setValue('summary', summary, { shouldDirty: true });
        setFocus('summary');
      },
    });
  return (
    <>
      {isEmpty && (
        <Button variant="ghost" loading={suggest.isPending} onClick={write}>
          Suggest a summary
        </Button>
      )}
      <p role="status" className="measure basis-full text-sm text-muted empty:hidden">
        {suggest.data ? GENERATED_NOTE : describeSummaryState(report)}
      </p>
    </>
  );
}

const GENERATED_NOTE = 'Draft by the language model. Check and edit it, then save it.';

/** Status of the summary requested when the report was created. */
function describeSummaryState({ by_model, summary }: Report): string {
  switch (by_model?.state) {
    case 'done':
      return GENERATED_NOTE;
    case 'empty':
      return summary === ''
        ? 'The language model used a number that the report does not contain, so its draft was rejected. Try again, or write the summary yourself.'
        : '';
    case 'unavailable':
      return summary === '' ? 'The language model could not be reached when this draft was created.' : '';
    default:
      return '';
  }
}
