/**
 * Removes the quoted thread and the signature that mail programs append. Each line is read once and up to a fixed
 * length, so the time is linear.
 */

/** Maximum length of a header line of a quoted message, in characters. */
const MAX_HEADER = 400;

/** Maximum lines over which mail programs wrap "On 16 Nov 2026, Kari <kari@example.com> wrote:". */
const MAX_HEADER_LINES = 3;

/** Maximum lines after "From:" in which Outlook writes "Sent:", "To:" or "Subject:". */
const OUTLOOK_LINES = 4;

const WROTE =
  /(?:^|\s)(?:wrote|writes|schrieb|skrev|skriver|schreef|a écrit|écrit|escribió|escreveu|ha scritto|scrisse|kirjoitti|napisał(?:\(a\))?)(?=[\s:,(]|$)/i;

/** A year or a time of day, which every mail program adds to the header of a quote. */
const DATE_OR_TIME = /\b(?:19|20)\d\d\b|\b\d{1,2}[.:]\d\d\b/;
const YEAR = /\b(?:19|20)\d\d\b/;

const SEPARATOR =
  /^-{2,20}\s{0,5}(?:original message|forwarded message|ursprüngliche nachricht|weitergeleitete nachricht|opprinnelig melding|videresendt melding|oprindelig meddelelse|videresendt meddelelse|ursprungligt meddelande|vidarebefordrat meddelande|message d'origine|message transféré|mensaje original|messaggio originale|oorspronkelijk bericht|alkuperäinen viesti)/i;

/** First line of Outlook's header above a quoted message. It may be bold in Markdown. */
const FROM = /^\*?(?:from|von|fra|från|de|da|van|od|lähettäjä)\*?:\*?\s*\S/i;

const BELOW_FROM =
  /^\*?(?:sent|date|to|subject|gesendet|datum|an|betreff|sendt|dato|til|emne|skickat|till|ämne|envoyé|à|objet|enviado(?: el)?|para|asunto|inviato|a|oggetto|verzonden|aan|onderwerp|wysłano|do|temat|lähetetty|vastaanottaja|aihe)\*?:/i;

const DIVIDER = /^[_–—-]{5,200}$/;

/**
 * Returns the text above the first quoted message and above a signature that begins with "--" (RFC 3676, section 4.3).
 */
export function removeQuotedThread(text: string): string {
  const raw = text.split('\n');
  const lines = raw.map((line) => line.trim());
  for (let index = 0; index < lines.length; index += 1) {
    const begin = beginOfQuote(lines, index);
    if (begin !== null) return raw.slice(0, begin).join('\n');
  }
  return text;
}

/** Returns the first line of the quote that a marker in this line belongs to, or null without a marker. */
function beginOfQuote(lines: readonly string[], index: number): number | null {
  const line = lines[index] ?? '';
  const header = beginOfHeader(lines, index, (headerText) => WROTE.test(headerText) && isHeaderEnd(headerText));
  if (header !== null) return header;
  if (line === '--' || (line.length <= MAX_HEADER && SEPARATOR.test(line))) return index;
  if (isOutlookHeader(lines, index)) return aboveDivider(lines, index);
  if (!line.startsWith('>')) return null;
  let above = index - 1;
  while (above >= 0 && lines[above] === '') above -= 1;
  // In other languages, a line with a date and a final colon right above the quote is its header.
  return beginOfHeader(lines, above, isHeaderEnd) ?? index;
}

function isHeaderEnd(headerText: string): boolean {
  return headerText.endsWith(':') && DATE_OR_TIME.test(headerText);
}

/** Returns the first line of the shortest header that ends in this line, or null. */
function beginOfHeader(lines: readonly string[], end: number, isHeader: (text: string) => boolean): number | null {
  let headerText = '';
  for (let begin = end; begin >= 0 && begin > end - MAX_HEADER_LINES; begin -= 1) {
    const line = lines[begin] ?? '';
    if (line === '' || line.length > MAX_HEADER) return null;
    headerText = `${line} ${headerText}`.trim();
    if (isHeader(headerText)) return isHeaderStart(lines[begin - 1] ?? '') ? begin - 1 : begin;
  }
  return null;
}

/** Returns true if a line can begin a header: it contains the year and does not end a sentence. */
function isHeaderStart(line: string): boolean {
  return line !== '' && line.length <= MAX_HEADER && YEAR.test(line) && !/[.!?:]$/.test(line);
}

function isOutlookHeader(lines: readonly string[], index: number): boolean {
  const line = lines[index] ?? '';
  if (line.length > MAX_HEADER || !FROM.test(line)) return false;
  return lines
    .slice(index + 1, index + 1 + OUTLOOK_LINES)
    .some((below) => below.length <= MAX_HEADER && BELOW_FROM.test(below));
}

function aboveDivider(lines: readonly string[], index: number): number {
  let above = index - 1;
  while (above >= 0 && lines[above] === '') above -= 1;
  return DIVIDER.test(lines[above] ?? '') ? above : index;
}
