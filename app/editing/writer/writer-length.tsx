import { countWords } from './count-words.ts';
import { useSettledText } from './use-settled-text.ts';

/** Shows '1,234 words, 5 min read'. */
export function WriterLength({ name }: { name: string }) {
  const { words, minutes } = countWords(useSettledText(name));
  return (
    <p className="shrink-0 text-sm text-muted tabular-nums">
      {words === 1 ? '1 word' : `${words.toLocaleString('en-GB')} words`}
      {minutes > 0 && <span> &middot; {minutes} min read</span>}
    </p>
  );
}
