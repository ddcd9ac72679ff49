/** Looks up in everything that is public whom and what a message names, before anybody says that nothing is known. */

import { keywords, plainText } from '../search.ts';
import { link } from '../wording.ts';
import { describePerson } from './answers-company.ts';
import { describeProject, quoteReviews } from './answers-projects.ts';
import { isSubject, type PersonSubject } from './subjects.ts';
import { type Reply, say, type Turn } from './turn.ts';
import { wordsOf } from './words.ts';

/** Returns what is published of the people, roles and companies that a message names, or null. */
export function tellNamed(turn: Turn): Reply | null {
  return tellReviewers(turn) ?? tellRole(turn);
}

/** Lists those who say something about us, and those who work where they do: "who said something about it at Isfront?" */
function tellReviewers(turn: Turn): Reply | null {
  const said = new Set(wordsOf(turn.text));
  const names = (name: string) => wordsOf(name).some((word) => word.length > 3 && said.has(word));
  const { reviews } = turn.content;
  const byName = reviews.filter(({ author_name }) => wordsOf(author_name).some((word) => said.has(word)));
  const named = byName.filter(({ author_name }) => wordsOf(author_name).every((word) => said.has(word)));
  const subject = turn.subject?.kind === 'projects' ? turn.subject.item.company : '';
  const asksWho = WHO.test(turn.text);
  const of = (company: string) => reviews.filter((review) => review.company !== '' && review.company === company);
  const company = reviews.find((review) => names(review.company))?.company ?? subject;
  const told = [
    named,
    byName.filter(({ author_name }) => isWritten(turn.text, author_name)),
    asksWho ? of(company) : [],
  ];
  const [people = []] = told.filter((found) => found.length > 0);
  if (people.length === 0) return null;
  return quoteReviews(turn, people);
}

/** A surname that is written as a name: "the Strand case", and not a strand of hair. */
function isWritten(text: string, name: string): boolean {
  return name
    .split(/\s+/)
    .some((part) => part.length > 3 && new RegExp(`(?<!\\p{L})${literally(part)}(?!\\p{L})`, 'u').test(text));
}

function literally(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

const WHO = /(?<!\p{L})(?:who|whom|hvem|vem|wer|wem|wen)(?!\p{L})/iu;

/** "Who does the copywriting?": the one whose role or text has it. */
function tellRole(turn: Turn): Reply | null {
  if (!WHO.test(turn.text)) return null;
  const asked = keywords(turn.text);
  const people = turn.content.published.filter((item): item is PersonSubject => item.kind === 'team_members');
  const [best] = people
    .map((person) => {
      const role = keywords(person.item.position);
      const text = new Set(keywords(`${person.item.position} ${plainText(person.item.bio)}`));
      const shared = asked.filter((word) => text.has(word) || role.some((part) => isPartOf(part, word))).length;
      const isOfRole = asked.some((word) => role.some((part) => part === word || isPartOf(part, word)));
      return { person, shared, isLikely: shared > 0 && (isOfRole || shared * 2 >= asked.length) };
    })
    .filter(({ isLikely }) => isLikely)
    .sort((a, b) => b.shared - a.shared);
  return best ? describePerson(turn, best.person) : null;
}

/** "copy" is part of "copywriting". */
function isPartOf(part: string, word: string): boolean {
  return part.length >= 4 && word.startsWith(part);
}

/** Answers a problem of the visitor's own with the case that had it: "our mails go to spam". */
export function tellCaseLike(turn: Turn): Reply | null {
  if (turn.text.includes('?') || !OURS.test(turn.text) || turn.named.service || turn.named.project) return null;
  const alike = turn.found.find(
    ({ kind, coverage, isInTitle }) => kind === 'projects' && (isInTitle || coverage >= ALIKE),
  );
  return alike?.kind === 'projects' ? describeProject(turn, alike) : null;
}

/** The share of what is said of a problem that the text of a case has, unless its title has a word of it. */
const ALIKE = 0.34;

const OURS = /(?<!\p{L})(?:our|vår|vårt|våre|våra|vores|vore|unser|unsere|unseren|unserem)(?!\p{L})/iu;

/** Offers the two entries that are nearest by name: what to do between knowing and not knowing. */
export function offerNearest(turn: Turn): Reply | null {
  const found = turn.found.filter(({ coverage }) => coverage >= NEAR);
  const before = REFERS_BACK.test(turn.text) ? turn.memory.subject : null;
  const near = [...(before ? [before] : []), ...found.filter(({ title }) => title !== before?.title)].slice(0, 2);
  if (near.length === 0) return null;
  return {
    text: [
      say(turn, 'notKnown'),
      say(turn, 'more', { pages: near.map(({ title, url }) => link(title, url)).join(say(turn, 'and')) }),
      say(turn, 'personAnswers'),
      say(turn, 'goal'),
    ],
    asked: 'goal',
    isUnanswered: true,
    listed: near.flatMap((found) => (isSubject(found) ? [found] : [])),
  };
}

/** Words for what was spoken of before. */
const REFERS_BACK =
  /(?<!\p{L})(?:it|its|they|them|their|there|that|he|she|his|her|det|den|de|dem|deres|der|das|dort|dabei|deren)(?!\p{L})/iu;

/** The share of a question that an entry has when it may be worth a look. */
const NEAR = 0.4;
