/**
 * Filters the replies of a language model. A sentence with a price, date, number or promise that is not in the sources
 * is withheld, and a replacement sentence is shown in the stream. The filter only compares texts, so prompt injection
 * cannot change it.
 */
import {
  type Claim,
  collectEvidence,
  createRepetitionCheck,
  type Evidence,
  type EvidenceText,
  readVisitorClaims,
  unsupportedClaim,
  type VisitorClaims,
} from './evidence.ts';
import { figuresIn } from './figures.ts';
import { agrees, isRefusal, promisesIn } from './promises.ts';
import { lengthOfSegment } from './segments.ts';
import { collectSubjects, isUnsupported, type Subjects } from './subjects.ts';
import { readingOf, readings } from './text.ts';
import { REPLACEMENTS, type ReplacementReason } from './wording.ts';

/** Pause in ms before words without a claim are shown, although their sentence has not ended. */
const PAUSE = 400;
/** Maximum length of a stored reply, see upstream.ts. */
const MAX_SHOWN = 16_000;

export interface ReplyGuard {
  /** Yields the pieces that may be shown, as early as possible. */
  check(reply: AsyncGenerator<string, void, void>, disconnected: AbortSignal): AsyncGenerator<string, void, void>;
  /** Number of withheld sentences. */
  withheld(): number;
  /** Returns the text shown so far. */
  shown(): string;
}

/**
 * @param sources all texts that support the reply
 * @param language of the replacements, such as nb. Unsupported languages use English
 */
export function createGuard(
  sources: readonly (EvidenceText & { url: string })[],
  conversation: readonly { role: 'user' | 'assistant'; content: string }[],
  language: string,
): ReplyGuard {
  const evidence = collectEvidence(sources);
  const visitor = readVisitorClaims(evidence, conversation);
  const pages = new Set([...BUILT_IN_PAGES, ...sources.map(({ url }) => url)]);
  const filter = new ReplyFilter({ evidence, subjects: collectSubjects(sources), visitor, language, pages });
  return {
    withheld: () => filter.withheld,
    shown: () => filter.shown,
    async *check(reply, disconnected) {
      let next = reply.next();
      try {
        for (;;) {
          const result = filter.hasPendingText ? await resultOrPause(next) : await next;
          if (result === 'pause') {
            yield* filter.showTextWithoutClaim();
            continue;
          }
          if (result.done) break;
          next = reply.next();
          yield* filter.add(result.value);
        }
        yield* filter.finish();
      } catch (error) {
        if (!disconnected.aborted) yield* filter.showTextWithoutClaim();
        throw error;
      } finally {
        next.catch(() => undefined);
        await reply.return();
      }
    },
  };
}

const BUILT_IN_PAGES = '/ /#booking /contact /contact#person /services /projects /news /about /#testimonials'.split(
  ' ',
);

async function resultOrPause<Result>(next: Promise<Result>): Promise<Result | 'pause'> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const pause = new Promise<'pause'>((resolve) => {
    timer = setTimeout(() => resolve('pause'), PAUSE);
  });
  try {
    return await Promise.race([next, pause]);
  } finally {
    clearTimeout(timer);
  }
}

/** Sources, conversation and language for checking a reply. */
interface GuardContext {
  evidence: Evidence;
  subjects: Subjects;
  visitor: VisitorClaims;
  language: string;
  pages: ReadonlySet<string>;
}

/** Text that ends with a unit and a colon. A number after it is an amount, not a list marker. */
const ENDS_WITH_UNIT =
  /(?:\p{Sc}|%|\b(?:dollars?|euros?|kroner|nok|usd|eur|percent|prosent|prozent|weeks?|days?|hours?|months?|years?)) ?:$/u;

class ReplyFilter {
  withheld = 0;
  shown = '';
  /** True if there are words that could be shown in a pause. */
  hasPendingText = false;
  /** Text that has not been checked yet, in its original pieces. */
  #pending: string[] = [];
  /** Beginning of the current sentence that was already shown in a pause. */
  #shownStart = '';
  #isLineStart = true;
  #isInFence = false;
  /** State of the current table. */
  #table: 'none' | 'shown' | 'dropped' = 'none';
  #listNumber = 0;
  #reasonsShown = new Set<ReplacementReason>();
  /** Replacement to show after the current table or code block. */
  #pendingReplacement = '';
  readonly #context: GuardContext;

  constructor(context: GuardContext) {
    this.#context = context;
  }

  *add(piece: string): Generator<string> {
    this.#pending.push(piece);
    yield* this.#checkPending(false);
    this.hasPendingText = this.#pending.length > 0;
  }

  *finish(): Generator<string> {
    yield* this.#checkPending(true);
    this.hasPendingText = false;
    if (!this.#pendingReplacement) return;
    yield* this.#show(
      this.#isInFence
        ? `${this.shown.endsWith('\n') ? '' : '\n'}\`\`\`\n\n${this.#pendingReplacement}`
        : `\n${this.#pendingReplacement}`,
    );
    this.#pendingReplacement = '';
  }

  /** Shows held words without a figure or promise, although the sentence may still become a claim and be withheld. */
  *showTextWithoutClaim(): Generator<string> {
    this.hasPendingText = false;
    const text = this.#pending.join('');
    const sentence = this.#shownStart + text;
    if (text === '' || this.#context.visitor.isContested || this.#isInFence || this.#table !== 'none') return;
    // Incomplete markup, or text that may become a figure or a row.
    if (/[\n|&[<\d`#]|^\s*[-*+>]?\s*$/.test(text) || this.#claimOf(sentence)) return;
    if (readings(sentence).some((reading) => figuresIn(reading).length > 0 || promisesIn(reading).length > 0)) return;
    this.#shownStart = sentence;
    this.#isLineStart = false;
    yield* this.#showPendingText(text.length);
  }

  *#checkPending(isEnd: boolean): Generator<string> {
    for (;;) {
      const text = this.#pending.join('');
      if (text === '') return;
      const position = { isLineStart: this.#isLineStart && this.#shownStart === '', isInFence: this.#isInFence };
      const length = lengthOfSegment(text, position, isEnd);
      if (length === 0) return;
      yield* this.#checkSegment(text.slice(0, length));
      this.#isLineStart = text[length - 1] === '\n';
      this.#shownStart = '';
    }
  }

  *#checkSegment(segment: string): Generator<string> {
    const isFence = this.#isLineStart && /^[ \t]*(?:```|~~~)/.test(segment);
    const isRow = !this.#isInFence && this.#isLineStart && this.#shownStart === '' && /^[ \t]*\|| \| /.test(segment);
    if (!isRow && this.#table !== 'none') {
      this.#table = 'none';
      yield* this.#showReplacement('\n');
    }
    if (isRow && this.#table === 'dropped') {
      this.#takePending(segment.length);
      return;
    }
    const reason = this.#claimOf(this.#shownStart + segment);
    if (reason === null) {
      if (isRow) this.#table = 'shown';
      yield* this.#openWithDenial(segment);
      yield* this.#showPendingText(segment.length);
      this.#countLists(segment);
      if (isFence) this.#isInFence = !this.#isInFence;
      if (isFence && !this.#isInFence) yield* this.#showReplacement('\n');
      return;
    }
    this.withheld++;
    this.#takePending(segment.length);
    if (isRow) this.#table = this.#table === 'none' ? 'dropped' : this.#table;
    if (isRow || this.#isInFence) {
      this.#pendingReplacement ||= this.#replacementFor(reason);
      return;
    }
    yield* this.#replace(segment, reason);
  }

  *#replace(segment: string, reason: ReplacementReason): Generator<string> {
    const end = /\s*$/.exec(segment)?.[0] ?? '';
    const sentence = this.#replacementFor(
      this.#context.visitor.isContested && this.#reasonsShown.size === 0 ? 'unconfirmed' : reason,
    );
    if (this.#shownStart) yield* this.#show(`…${sentence ? ` ${sentence}` : ''}${end}`);
    else if (sentence) yield* this.#show(`${this.#markerOf(segment)}${sentence}${end}`);
    // The replacement was already shown, so keep only the line break between blocks.
    else if (end.includes('\n') && !/(?:^|\n)$/.test(this.shown)) yield* this.#show(end);
  }

  /** Returns the replacement, or '' if the reply already contains it. */
  #replacementFor(reason: ReplacementReason): string {
    if (this.#reasonsShown.has(reason)) return '';
    this.#reasonsShown.add(reason);
    const replacements = REPLACEMENTS[this.#context.language] ?? REPLACEMENTS['en'];
    return replacements?.[reason] ?? '';
  }

  /** Starts the reply by saying that the visitor's claim is not confirmed, unless the reply itself does so. */
  *#openWithDenial(segment: string): Generator<string> {
    if (
      !this.#context.visitor.isAboutUs ||
      this.#reasonsShown.size > 0 ||
      this.shown.trim() !== '' ||
      segment.trim() === ''
    )
      return;
    if (isRefusal(readingOf(segment).split(/[,:;]/)[0] ?? '')) {
      this.#reasonsShown.add('unconfirmed');
      return;
    }
    this.withheld++;
    yield* this.#show(
      `${this.#replacementFor('unconfirmed')}${/^\s*(?:[-*+>#|]|\d+[.)]|```|~~~)/.test(segment) ? '\n\n' : ' '}`,
    );
  }

  *#showReplacement(before: string): Generator<string> {
    if (!this.#pendingReplacement) return;
    const text = `${before}${this.#pendingReplacement}\n\n`;
    this.#pendingReplacement = '';
    yield* this.#show(text);
  }

  #claimOf(segment: string): ReplacementReason | null {
    const sentence = segment.slice(this.#markerOf(segment).length);
    const claim: Claim | null = unsupportedClaim(
      this.#context.evidence,
      this.#withoutKnownPages(sentence),
      this.#shownStart ? '' : this.shown.slice(-120),
      createRepetitionCheck(this.#context.visitor, sentence),
    );
    if (claim) return claim;
    if (isUnsupported(this.#context.subjects, sentence, this.#context.visitor.words)) return 'unreadable';
    return this.#context.visitor.isContested && readings(sentence).some(agrees) ? 'unconfirmed' : null;
  }

  /** Returns the marker of a list item. A number must continue the list and must not have a unit. */
  #markerOf(segment: string): string {
    if (!this.#isLineStart || this.#isInFence) return '';
    const [marker = '', number] = /^[ \t]*(?:[-*+]|(\d{1,9})[.)])[ \t]+/.exec(segment) ?? [];
    if (number === undefined) return marker;
    const value = Number(number);
    if (value !== 1 && value !== this.#listNumber + 1) return '';
    const [first] = figuresIn(`${value} ${readingOf(segment.slice(marker.length))}`);
    if (first?.start === 0 && first.kind !== 'count') return '';
    return ENDS_WITH_UNIT.test(readingOf(this.shown.slice(-60))) ? '' : marker;
  }

  #countLists(segment: string): void {
    const number = /^[ \t]*(\d{1,9})[.)][ \t]/.exec(segment)?.[1];
    if (this.#isLineStart && number !== undefined) this.#listNumber = Number(number);
  }

  /** Removes URLs of known pages. Other URLs are checked like text. */
  #withoutKnownPages(sentence: string): string {
    return sentence.replace(/\]\(((?:[^()]|\([^()]*\))*)\)/g, (_whole, target: string) => {
      const [url = '', ...title] = target.trim().split(/\s+/);
      const page = url.replace(/^<|>$/g, '');
      return `]() ${this.#context.pages.has(page) ? '' : wordsOfUrl(page)} ${title.join(' ')}`;
    });
  }

  *#showPendingText(length: number): Generator<string> {
    for (const piece of this.#takePending(length)) yield* this.#show(piece);
  }

  *#show(text: string): Generator<string> {
    if (text === '' || this.shown.length + text.length > MAX_SHOWN) return;
    this.shown += text;
    yield text;
  }

  /** Takes a number of held characters, in their original pieces. */
  #takePending(length: number): string[] {
    const pieces: string[] = [];
    let remaining = length;
    while (remaining > 0) {
      const piece = this.#pending.shift();
      if (piece === undefined) break;
      pieces.push(piece.slice(0, remaining));
      if (piece.length > remaining) this.#pending.unshift(piece.slice(remaining));
      remaining -= piece.length;
    }
    return pieces;
  }
}

/**
 * Returns the words of a URL that contains figures. A URL without a target (see safeHref of the window) is not shown at
 * all.
 */
function wordsOfUrl(url: string): string {
  if (/^(?!https?:|mailto:|tel:)[\w+.-]+:/i.test(url)) return '';
  let text = url;
  try {
    text = decodeURIComponent(url);
  } catch {
    // The URL cannot be decoded, so check the original text.
  }
  return /\p{N}/u.test(text) ? text.replace(/[-_/?=&#.+:]/g, ' ') : '';
}
