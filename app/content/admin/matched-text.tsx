import { markedText } from '../../ui/lib/marked-text.ts';

/** A text with what a search found in it marked. */
export function MatchedText({ text, words }: { text: string; words: readonly string[] }) {
  let at = 0;
  return markedText(text, words).map(({ text: part, isMarked }) => {
    const key = at;
    at += part.length;
    return isMarked ? (
      <mark key={key} className="rounded-sm bg-signal-soft text-ink">
        {part}
      </mark>
    ) : (
      part
    );
  });
}

/** A piece of an item's text around a match, without the marks of Markdown. */
export function MatchExcerpt({ excerpt, words }: { excerpt: string; words: readonly string[] }) {
  const text = excerpt
    // Words that the piece begins or ends in.
    .replace(/^\S*\s+(?=[\s\S]{60})|\s+\S*$/g, '')
    .replaceAll(/!?\[([^\]]*)\]\([^)\s]*\)?/g, '$1')
    .replaceAll(/[*_`>#|~]+|^\s*[-+]\s/gm, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return (
    <p className="line-clamp-2 text-sm text-muted [overflow-wrap:anywhere]">
      … <MatchedText text={text} words={words} /> …
    </p>
  );
}
