import { markedText } from '../../ui/lib/marked-text.ts';

/** Text with search matches highlighted. */
export function MatchedText({ text, words }: { text: string; words: readonly string[] }) {
  let offset = 0;
  return markedText(text, words).map(({ text: part, isMarked }) => {
    const key = offset;
    offset += part.length;
    return isMarked ? (
      <mark key={key} className="rounded-sm bg-signal-soft text-ink">
        {part}
      </mark>
    ) : (
      part
    );
  });
}

/** Excerpt around a match, without Markdown syntax. */
export function MatchExcerpt({ excerpt, words }: { excerpt: string; words: readonly string[] }) {
  const text = excerpt
    // Remove truncated words at both ends.
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
