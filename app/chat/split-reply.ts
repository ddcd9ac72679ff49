/** Matches the heading and the links that supabase/functions/ai-chat/sources.ts appends to a reply. */
const SOURCES = /\n\n(Sources|Kilder):\n((?:\n- \[[^\n]+\]\(\/(?![/\\])\S*\))+)\s*$/;
const SOURCE = /^- \[(.+)\]\((\S+)\)$/gm;
const PARTIAL_SOURCES = /\n\n(?:Sources|Kilder):(?:\n+-[^\n]*)*\s*$/;

/** Introduction of a built-in quote, such as "This is from [Services](/services):". The linked page is a source. */
const INTRODUCTION = /^(?:This is from|Dette er \S+ på) \[[^\n]*\]\((\S+)\):\n\n/m;
const PARTIAL_INTRODUCTION = /^(?:This is from|Dette er \S+ på)(?:\s*| \[[^\n]*\n*)$/m;

/**
 * Splits the text of a reply into its body and its sources, so that each page is shown once.
 *
 * @param isStreaming hides an introduction until its source arrives, so that the text does not jump
 */
export function splitReply(text: string, isStreaming = false) {
  const block = SOURCES.exec(text);
  const sources = [...(block?.[2] ?? '').matchAll(SOURCE)].map(([, title = '', url = '']) => ({
    title: title.replace(/\\(.)/g, '$1'),
    url,
  }));
  const content = block ? text.slice(0, block.index) : isStreaming ? text.replace(PARTIAL_SOURCES, '') : text;
  const body = content.replace(INTRODUCTION, (introduction, url) =>
    isStreaming || sources.some((source) => source.url === url) ? '' : introduction,
  );
  return {
    body: isStreaming ? body.replace(PARTIAL_INTRODUCTION, '') : body,
    heading: block?.[1] ?? '',
    sources: sources.filter(({ url }) => !body.includes(`](${url})`)),
  };
}
