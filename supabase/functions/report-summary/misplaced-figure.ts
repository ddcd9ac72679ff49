/**
 * Finds figures that a sentence puts to another campaign, metric or time than the report does. A sentence names whose they
 * are ("Winter brought 30 of the 48 replies") clause by clause; where it leaves that open, the sentence goes.
 */
import { type Figure, figuresIn } from '../ai-chat/guard/figures.ts';
import { readingOf } from '../ai-chat/guard/text.ts';
import type { ReadReport } from './report-words.ts';

/** Words for each metric, the more exact first. 'messages' is any of those that count them. */
const METRIC_WORDS = [
  ['positive_replies', /\b(?:positive|interested)(?: (?:replies|reply|answers?))?\b|\banswers? with interest\b/g],
  ['replies', /\b(?:replies|reply|answers?|answered|replied)\b/g],
  ['meetings', /\b(?:meetings?|no-shows?|nobody came)\b/g],
  ['delivered', /\b(?:delivered|delivery|deliveries|arrived)\b/g],
  ['bounced', /\b(?:bounced|bounces?|came back)\b/g],
  ['sent', /\b(?:sent|went out)\b/g],
  ['pipeline', /\bpipeline\b/g],
  ['messages', /\b(?:messages?|e-?mails?|mails?)\b/g],
] as const;

type MetricWord = (typeof METRIC_WORDS)[number][0];

const MESSAGES = ['sent', 'delivered', 'bounced'];

const TOTAL = /\b(?:in all|in total|total|overall|altogether|across all|all campaigns|together|combined)\b/;
const TOGETHER = /\b(?:together|combined|between them|in all|in total|jointly)\b/;
const GOAL = /\b(?:goals?|targets?|(?:for|of|this) (?:the )?month|month's)\b/;
/** After a number: it is one of the time before. "Last week" may be the report's own, as it is read in the next. */
const EARLIER = /^[^,;]{0,30}?\b(?:(?:week|month) before|(?:previous|prior) (?:week|month)|(?:week|month) earlier)\b/;
const MAY_BE_EARLIER = /\b(?:from|after|than|against|instead of|compared (?:with|to)|over|was|were|had been) $/;
const OF_ALL = /\bof (?:the |all |our |these |those |a total of |all the )?$/;
const ROSE = 'rose|grew|increased|climbed|went up|were up|are up|improved';
const FELL = 'fell|dropped|decreased|declined|went down|were down|are down|sank|shrank';

/** A stretch that stands for a campaign's name in a masked text, so that no number or metric in it is read as one. */
const MASK = '_';

interface Owner {
  /** As a sentence may call it, in plain letters, the longest first. */
  names: string[];
  figures: Record<string, number>;
  /** Numbers in what the report says of it in words, such as its next step. */
  told: Set<string>;
}

interface Place<Of> {
  of: Of;
  start: number;
  end: number;
}

interface Clause {
  start: number;
  end: number;
  text: string;
}

type NumberIn = Pick<Figure, 'kind' | 'value' | 'start' | 'end'>;

/** Tells of each sentence of a text, in order, whether a figure in it is not whose it says. */
export function misplacedFigureFinder(report: ReadReport): (sentence: string) => boolean {
  const owners = ownersIn(report);
  /** Campaigns that the sentence before named: "it". */
  let latest: Owner[] = [];
  return (sentence) => {
    const reading = readingOf(sentence);
    const named = ownersNamed(owners, reading);
    const text = masked(reading, named);
    const isContinued = named.length === 0 && /^\W*(?:it|they|both|this campaign|the campaign|there|that)\b/.test(text);
    const before = isContinued ? latest : [];
    latest = named.length > 0 ? named.map(({ of }) => of) : before;
    return saysOtherwise(report, text, named, before);
  };
}

function ownersIn({ figures }: ReadReport): Owner[] {
  const told = [
    ...figures.next.map(({ campaign, step, due_on }) => ({ name: campaign, text: `${step} ${due_on ?? ''}` })),
    ...figures.changes.map(({ name, detail }) => ({ name, text: detail })),
  ];
  const names = [
    ...new Set(
      [...figures.campaigns, ...figures.next.map((next) => ({ name: next.campaign }))].map(({ name }) => name),
    ),
  ];
  const words = new Map(names.map((name) => [name, distinctiveWords(name)]));
  return names.map((name) => {
    const others = names.filter((other) => other !== name).map(readingOf);
    const own = (words.get(name) ?? []).filter((word) => !others.some((other) => other.includes(word)));
    return {
      names: [readingOf(name), ...own].sort((one, other) => other.length - one.length),
      figures: figures.campaigns.find((campaign) => campaign.name === name)?.figures ?? {},
      told: new Set(
        told
          .filter((one) => one.name === name)
          .flatMap(({ text }) => figuresIn(readingOf(text)).map(({ value }) => value)),
      ),
    };
  });
}

/** "Founders of bakeries" is called "the bakeries" too. Words that say what is counted name no campaign. */
function distinctiveWords(name: string): string[] {
  const reading = readingOf(name);
  return reading
    .split(/[^\p{L}]+/u)
    .filter((word) => word.length > 4 && metricsIn(word).length === 0 && !/^(?:campaign|weeks?|months?)$/.test(word));
}

function ownersNamed(owners: readonly Owner[], reading: string): Place<Owner>[] {
  const places: Place<Owner>[] = [];
  const calls = owners.flatMap((of) => of.names.map((name) => ({ of, name })));
  for (const { of, name } of calls.sort((one, other) => other.name.length - one.name.length)) {
    for (let at = reading.indexOf(name); at >= 0; at = reading.indexOf(name, at + name.length)) {
      const end = at + name.length;
      const isWord = !/[\p{L}\p{N}]/u.test(reading.charAt(at - 1)) && !/[\p{L}\p{N}]/u.test(reading.charAt(end));
      const isFree = !places.some((place) => place.start < end && at < place.end);
      if (isWord && isFree) places.push({ of, start: at, end });
    }
  }
  return places.sort((one, other) => one.start - other.start);
}

function masked(reading: string, named: readonly Place<Owner>[]): string {
  let text = reading;
  for (const { start, end } of named) text = text.slice(0, start) + MASK.repeat(end - start) + text.slice(end);
  return text;
}

function saysOtherwise(report: ReadReport, text: string, named: readonly Place<Owner>[], before: Owner[]): boolean {
  if (/\?\W*$/.test(text)) return false;
  const numbers = numbersIn(text);
  const metrics = metricsIn(text);
  const clauses = clausesOf(text);
  const namedIn = (clause: Clause) =>
    named.filter(({ start }) => start >= clause.start && start < clause.end).map(({ of }) => of);
  let about = before;
  return clauses.some((clause, at) => {
    const own = namedIn(clause);
    const following = clauses[at + 1];
    if (own.length > 0) about = own;
    else if (TOTAL.test(clause.text) || /^\W*(?:while|whereas|but)\b/.test(clause.text)) about = [];
    // "30 replies and 4 meetings came from Winter"
    else if (about.length === 0 && following && IS_BARE.test(clause.text)) about = namedIn(following);
    const inClause = numbers.filter(({ start }) => start >= clause.start && start < clause.end);
    if (about.length === 0 && movesOtherwise(report, clause.text)) return true;
    return inClause.some((number, index) => {
      const words = metricWordsOf(number, { clause, metrics, numbers });
      const place = { number, words, clause, text };
      if (about.length === 0) return words.length > 0 && !isOfAll(report, place);
      return !isOfOwners(report, about, { ...place, index, count: inClause.length });
    });
  });
}

const IS_BARE = /^\W*(?:about |the )?[\d.,]+(?: \p{L}+){1,3}\W*$/u;

interface InPlace {
  number: NumberIn;
  /** Metrics that the number may count; none where no word says what it counts. */
  words: readonly MetricWord[];
  clause: Clause;
  text: string;
}

/** Counts, sums and shares in a masked text, "no replies" and "one meeting" too. */
function numbersIn(text: string): NumberIn[] {
  const figures = figuresIn(text).filter(({ kind }) => kind === 'count' || kind === 'money' || kind === 'percent');
  const words = [
    ...text.matchAll(/\b(no|one)(?= (?:positive |booked )?(?:repl|answer|meeting|message|e?-?mail|bounce))/g),
  ].map(
    ({ 0: word, index }): NumberIn => ({
      kind: 'count',
      value: word === 'no' ? '0' : '1',
      start: index,
      end: index + word.length,
    }),
  );
  const more = words.filter(({ start, end }) => !figures.some((figure) => figure.start < end && start < figure.end));
  return [...figures, ...more].sort((one, other) => one.start - other.start);
}

function metricsIn(text: string): Place<MetricWord>[] {
  const places: Place<MetricWord>[] = [];
  for (const [of, pattern] of METRIC_WORDS) {
    for (const { 0: word, index } of text.matchAll(pattern)) {
      const end = index + word.length;
      if (!places.some((place) => place.start < end && index < place.end)) places.push({ of, start: index, end });
    }
  }
  return places.sort((one, other) => one.start - other.start);
}

/** Splits a masked text into what it says one after the other; "Winter and Spring" and "30 and 18" stay whole. */
function clausesOf(text: string): Clause[] {
  const clauses: Clause[] = [];
  let start = 0;
  for (const { 0: sign, index } of text.matchAll(/[,;:](?=\s)|\s(?=(?:and|while|whereas|but)\s)/g)) {
    const joined = `${text.charAt(index - 1)}${/^\s*(?:[,;:]\s)?(?:and )?(.)/.exec(text.slice(index))?.[1] ?? ''}`;
    if (sign !== ';' && (joined === MASK + MASK || /^\d\d$/.test(joined))) continue;
    clauses.push({ start, end: index, text: text.slice(start, index) });
    start = index;
  }
  return [...clauses, { start, end: text.length, text: text.slice(start) }];
}

/** Finds what a number counts: the word after it, else the one before it, else what the number that follows counts. */
function metricWordsOf(
  number: NumberIn,
  { clause, metrics, numbers }: { clause: Clause; metrics: readonly Place<MetricWord>[]; numbers: readonly NumberIn[] },
): MetricWord[] {
  const next = numbers.find(({ start }) => start >= number.end);
  const until = Math.min(clause.end, next?.start ?? clause.end);
  const after = metrics.filter(({ start }) => start >= number.end && start < until);
  const before = metrics.filter(({ end }) => end <= number.start);
  const chosen = after.find(({ of }) => of !== 'messages') ?? after[0];
  if (chosen) return [chosen.of];
  const nearest = before.at(-1);
  const isJoined = next !== undefined && next.start < clause.end && next.start - number.end < 24;
  if (isJoined && (!nearest || nearest.start < clause.start || number.end + 5 > next.start)) {
    const joined = metricWordsOf(next, { clause, metrics: metrics.filter(({ start }) => start >= next.end), numbers });
    if (joined.length > 0) return joined;
  }
  // "1,250 were delivered messages": the exact word in the clause beside 'messages'.
  const inClause = before.filter(({ start }) => start >= clause.start);
  const exact = inClause.findLast(({ of }) => of !== 'messages') ?? nearest;
  return exact ? [exact.of] : [];
}

/** Values of a metric in the clause's sense: of the meetings, those that were held, where it speaks of these. */
function valuesOfAll({ figures }: ReadReport, { words, clause, number, text }: InPlace): number[] {
  const before = text.slice(0, number.start);
  const after = text.slice(number.end);
  const metrics = words.flatMap((word) => (word === 'messages' ? MESSAGES : [word]));
  const results = figures.result.filter(({ metric }) => metrics.includes(metric));
  const goals = GOAL.test(text) ? figures.goals.filter(({ metric }) => metrics.includes(metric)) : [];
  const all = [...results.map(({ value }) => value), ...goals.flatMap(({ value, goal }) => [value, goal])];
  const earlier = results.map(({ before: earlierValue }) => earlierValue);
  if (EARLIER.test(untilNumber(after))) return known(earlier);
  if (/\bfrom $/.test(before) && /^ to \d/.test(after)) return known(earlier);
  const kind = metrics.includes('meetings') && !OF_ALL.test(before) ? kindOfMeeting(clause.text) : null;
  if (kind) return [figures.meetings[kind], ...(kind === 'booked' ? known(all) : [])];
  const mayBeEarlier = MAY_BE_EARLIER.test(before) || /^[^,;]{0,24}\blast (?:week|month)\b/.test(untilNumber(after));
  return known(mayBeEarlier ? [...all, ...earlier] : all);
}

function untilNumber(text: string): string {
  return text.slice(0, /\d/.exec(text)?.index ?? text.length);
}

function known(values: readonly (number | null)[]): number[] {
  return values.filter((value) => value !== null);
}

function kindOfMeeting(clause: string): 'held' | 'no_show' | 'disputed' | 'booked' | null {
  if (/\bno-shows?\b|\bnobody came\b|\bdid not (?:come|show up)\b/.test(clause)) return 'no_show';
  if (/\bdisputed\b/.test(clause)) return 'disputed';
  if (/\bheld\b|\btook place\b/.test(clause)) return 'held';
  return /\bbooked\b/.test(clause) ? 'booked' : null;
}

function isOfAll(report: ReadReport, place: InPlace): boolean {
  if (place.number.kind !== 'percent') return valuesOfAll(report, place).some((value) => isValue(place.number, value));
  return report.figures.goals.some(
    ({ metric, value, goal }) =>
      place.words.some((word) => word === metric) && isValue(place.number, Math.floor((value / goal) * 100)),
  );
}

function isOfOwners(
  report: ReadReport,
  about: readonly Owner[],
  place: InPlace & { index: number; count: number },
): boolean {
  const { number, words, clause, text, index, count } = place;
  if (about.some(({ told }) => told.has(number.value))) return true;
  if (number.kind === 'percent') return false;
  // "30 of the 48 replies": the second is everybody's.
  if (
    OF_ALL.test(text.slice(0, number.start)) &&
    words.length > 0 &&
    isOfAll(report, { ...place, clause: { ...clause, text: '' } })
  ) {
    return true;
  }
  const metrics = words.flatMap((word) => (word === 'messages' ? MESSAGES : [word]));
  if (metrics.includes('meetings') && kindOfMeeting(clause.text) !== null && kindOfMeeting(clause.text) !== 'booked')
    return false;
  const valuesOf = ({ figures }: Owner) =>
    metrics.length > 0 ? metrics.flatMap((metric) => figures[metric] ?? []) : Object.values(figures);
  const inOrder = about.length === count ? about[index] : undefined;
  if (inOrder) return valuesOf(inOrder).some((value) => isValue(number, value));
  if (about.length > 1 && TOGETHER.test(text)) {
    return metrics.some((metric) =>
      isValue(
        number,
        about.reduce((sum, { figures }) => sum + (figures[metric] ?? 0), 0),
      ),
    );
  }
  return about.every((owner) => valuesOf(owner).some((value) => isValue(number, value)));
}

function isValue({ value }: NumberIn, of: number): boolean {
  return Number(value) === of;
}

/** "Replies rose", though they fell. */
function movesOtherwise({ figures }: ReadReport, clause: string): boolean {
  return metricsIn(clause).some(({ of, end }) => {
    const moved = new RegExp(`^(?: messages)? (?:have |has )?(?:(${ROSE})|(${FELL}))\\b`).exec(clause.slice(end));
    const result = figures.result.find(({ metric }) => metric === of);
    if (!moved || !result) return false;
    if (result.value === null || result.before === null) return true;
    return moved[1] ? result.value <= result.before : result.value >= result.before;
  });
}
