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
        {suggest.data ? wordsOf(suggest.data) : wordsOfDraft(report)}
      </p>
    </>
  );
}

/** Says what became of the summary that was asked for when the draft was made. */
function wordsOfDraft({ by_model, summary }: Report): string {
  switch (by_model?.state) {
    case 'filled':
      return `Written by the language model when this draft was made. Read it before you approve.${wordsOfLeftOut(by_model.left_out)}`;
    case 'empty':
      return summary === '' ? NOTHING_BORNE_OUT : '';
    case 'away':
      return summary === '' ? 'The language model could not be reached when this draft was made.' : '';
    default:
      return '';
  }
}

const NOTHING_BORNE_OUT =
  'The language model wrote nothing that the report bears out. Write it yourself, or try again.';

/** 'Written by the language model. Read it before you save it.', and what is not in it. */
function wordsOf({ summary, left_out }: { summary: string; left_out: number }): string {
  if (summary === '') return NOTHING_BORNE_OUT;
  return `Written by the language model. Read it before you save it.${wordsOfLeftOut(left_out)}`;
}

function wordsOfLeftOut(count: number): string {
  if (count === 0) return '';
  const sentences = count === 1 ? 'One sentence is' : `${count} sentences are`;
  return ` ${sentences} left out, with a figure or promise that the report does not have.`;
}
