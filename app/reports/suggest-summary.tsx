import { useQuery } from '@tanstack/react-query';
import { useFormContext } from 'react-hook-form';
import type { Report } from '../data/reports/reports.ts';
import { suggestSummaryMutation, summariesAvailableQuery } from '../data/reports/suggested-summary.ts';
import { Button } from '../ui/button.tsx';
import { useMutationWithToasts } from '../ui/use-mutation-with-toasts.ts';

/** Fills the empty field of a summary with one by the language model, where one is configured. A person saves it. */
export function SuggestSummary({ report }: { report: Report }) {
  const { watch, getValues, setValue, setFocus } = useFormContext<{ summary: string }>();
  const { data: isAvailable } = useQuery(summariesAvailableQuery);
  const suggest = useMutationWithToasts(suggestSummaryMutation, { failure: 'No summary was written' });
  const isEmpty = watch('summary').trim() === '';
  if (!isAvailable) return null;
  const write = () =>
    suggest.mutate(report, {
      onSuccess({ summary }) {
        // Words that somebody wrote meanwhile stay.
        if (summary === '' || getValues('summary').trim() !== '') return;
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
        {suggest.data && wordsOf(suggest.data)}
      </p>
    </>
  );
}

/** 'Written by the language model. Read it before you save it.', and what is not in it. */
function wordsOf({ summary, left_out }: { summary: string; left_out: number }): string {
  if (summary === '')
    return 'The language model wrote nothing that the report bears out. Write it yourself, or try again.';
  const written = 'Written by the language model. Read it before you save it.';
  if (left_out === 0) return written;
  const sentences = left_out === 1 ? 'One sentence is' : `${left_out} sentences are`;
  return `${written} ${sentences} left out, with a figure or promise that the report does not have.`;
}
