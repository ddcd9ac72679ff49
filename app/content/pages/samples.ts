/**
 * Invented customers, quotes, people and figures in the default texts. A text counts as a sample until it is changed.
 */
import { aboutTeamDefaults } from './about-team.ts';
import { deliverabilityDefaults } from './deliverability.ts';
import { FORMER_QUOTE, FORMER_TESTIMONIALS } from './former-samples.ts';
import { handoverDefaults } from './handover.ts';
import { logoBannerDefaults } from './logo-banner.ts';
import { readSectionContent } from './read.ts';
import type { PageSlug, SectionContent, SectionName } from './sections.ts';
import { sequenceDefaults } from './sequence.ts';
import { storyDefaults } from './story.ts';
import { testimonialsDefaults } from './testimonials.ts';
import { uspsDefaults } from './usps.ts';

/** Maximum number of names in a shortened list. */
const MAX_NAMES = 3;

/** Section with partly invented default content. */
export interface SampleSection {
  page: 'home' | 'about';
  name: string;
  /** Formats a number of samples, such as '20 testimonials'. */
  title(count: number): string;
  /** Parses the saved text of the section. */
  read(saved: string | undefined): unknown;
  /** Lists the samples in the content by the names shown on the page. */
  listNames(content: unknown): string[];
  /** Removes the samples. Undefined if the section would have a gap without them. */
  removeSamples?(content: unknown): unknown;
}

function sampleSection<Page extends 'home' | 'about', Name extends SectionName<Page>>(
  page: Page,
  name: Name,
  section: {
    title(count: number): string;
    listNames(content: SectionContent<Page, Name>): string[];
    removeSamples?(content: SectionContent<Page, Name>): SectionContent<Page, Name>;
  },
): SampleSection {
  const { removeSamples } = section;
  return {
    page,
    name,
    title: section.title,
    read: (saved) => readSectionContent(page, name, saved),
    listNames: (content) => section.listNames(content as SectionContent<Page, Name>),
    ...(removeSamples && { removeSamples: (content: unknown) => removeSamples(content as SectionContent<Page, Name>) }),
  };
}

const isDefaultLogo = matchesOneOf(logoBannerDefaults.logos, ({ name, imageUrl }) => [name, imageUrl]);
const isDefaultTestimonial = matchesOneOf(
  [...testimonialsDefaults.testimonials, ...FORMER_TESTIMONIALS],
  ({ by, testimonial }) => [by, testimonial],
);
const isDefaultAmount = matchesOneOf([uspsDefaults.card4], ({ dollarAmount, description }) => [
  dollarAmount,
  description,
]);
const isDefaultMail = matchesOneOf(sequenceDefaults.mails, ({ subject, text }) => [subject, text]);
const isDefaultWeek = matchesOneOf(deliverabilityDefaults.weeks, ({ name, sent, inbox }) => [name, sent, inbox]);
const isDefaultItem = matchesOneOf(handoverDefaults.items, ({ name, detail }) => [name, detail]);
const isDefaultChapter = matchesOneOf(storyDefaults.chapters, ({ text }) => [text]);
const isDefaultMember = matchesOneOf(aboutTeamDefaults.members, ({ name, quote }) => [name, quote]);

export const SAMPLE_SECTIONS: readonly SampleSection[] = [
  sampleSection('home', 'testimonials', {
    title: (count) => pluralize(count, 'testimonial'),
    listNames: ({ testimonials }) => testimonials.filter(isDefaultTestimonial).map(({ by }) => by.split(',')[0] ?? by),
    removeSamples: (content) => ({
      ...content,
      testimonials: content.testimonials.filter((testimonial) => !isDefaultTestimonial(testimonial)),
    }),
  }),
  sampleSection('home', 'logo-banner', {
    title: (count) => pluralize(count, 'customer logo'),
    listNames: ({ logos }) => logos.filter(isDefaultLogo).map(({ name }) => name),
    removeSamples: (content) => ({ ...content, logos: content.logos.filter((logo) => !isDefaultLogo(logo)) }),
  }),
  sampleSection('home', 'usps', {
    title: (count) => `${pluralize(count, 'customer or figure', 'customers and figures')} in the highlights`,
    listNames: ({ card1, card2, card3, card4 }) => [
      ...([uspsDefaults.card1, FORMER_QUOTE].some((quote) => isSame(card1, quote)) ? [card1.clientName] : []),
      ...(isSame(card2, uspsDefaults.card2) ? [card2.percentage] : []),
      ...(isSame(card3, uspsDefaults.card3) ? [card3.company] : []),
      ...(isDefaultAmount(card4) ? [card4.dollarAmount] : []),
    ],
  }),
  sampleSection('home', 'sequence', {
    title: (count) => `${pluralize(count, 'email')} in the sequence`,
    listNames: ({ isShown, mails }) => (isShown ? mails.filter(isDefaultMail).map(({ subject }) => subject) : []),
    removeSamples: hideSection,
  }),
  sampleSection('home', 'deliverability', {
    title: (count) => `${pluralize(count, 'week')} of deliverability figures`,
    listNames: ({ isShown, weeks }) => (isShown ? weeks.filter(isDefaultWeek).map(({ name }) => name) : []),
    removeSamples: hideSection,
  }),
  sampleSection('home', 'handover', {
    title: (count) => pluralize(count, 'handover item'),
    listNames: ({ isShown, items }) => (isShown ? items.filter(isDefaultItem).map(({ name }) => name) : []),
    removeSamples: hideSection,
  }),
  sampleSection('about', 'story', {
    title: (count) => pluralize(count, 'story chapter'),
    listNames: ({ chapters }) => chapters.filter(isDefaultChapter).map(({ title }) => title),
    removeSamples: (content) => ({
      ...content,
      chapters: content.chapters.filter((chapter) => !isDefaultChapter(chapter)),
    }),
  }),
  sampleSection('about', 'team', {
    title: (count) => pluralize(count, 'person in the team', 'people in the team'),
    listNames: ({ members }) => members.filter(isDefaultMember).map(({ name }) => name),
    removeSamples: (content) => ({ ...content, members: content.members.filter((member) => !isDefaultMember(member)) }),
  }),
];

/** Lists the names of the samples in an editor's content. */
export function listSamples(page: PageSlug, name: string, content: unknown): string[] {
  return SAMPLE_SECTIONS.find((section) => section.page === page && section.name === name)?.listNames(content) ?? [];
}

/** Shortens a list: 'Nordvik, Fjellhus, Havline and 5 more'. */
export function shortList(names: readonly string[]): string {
  const otherCount = names.length - MAX_NAMES;
  return names.slice(0, MAX_NAMES).join(', ') + (otherCount > 0 ? ` and ${otherCount} more` : '');
}

function hideSection<Content extends { isShown: boolean }>(content: Content): Content {
  return { ...content, isShown: false };
}

function pluralize(count: number, singular: string, plural = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : plural}`;
}

/** Returns a predicate for items with the same content as a default item. */
function matchesOneOf<Item>(defaults: readonly Item[], toKey: (item: Item) => string[]): (item: Item) => boolean {
  const keys = new Set(defaults.map((item) => JSON.stringify(toKey(item))));
  return (item) => keys.has(JSON.stringify(toKey(item)));
}

/** Compares two field groups by their JSON. Both have their keys in schema order. */
function isSame<Group>(group: Group, defaults: Group): boolean {
  return JSON.stringify(group) === JSON.stringify(defaults);
}
