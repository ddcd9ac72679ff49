/** Sections below the hero of the home page, in the default order. */
export const HOME_SECTIONS = [
  'logo-banner',
  'highlights',
  'testimonials',
  'services',
  'features',
  'domain-check',
  'sequence',
  'deliverability',
  'projects',
  'insights',
  'reviews',
  'handover',
  'contact',
  'booking',
] as const;

export type HomeSection = (typeof HOME_SECTIONS)[number];

export interface HomeSectionEntry {
  name: HomeSection;
  isShown: boolean;
}

/** Adds sections that are missing from a saved order to its end, such as sections of a newer version. */
export function completeOrder(savedEntries: readonly HomeSectionEntry[]): HomeSectionEntry[] {
  const missing = HOME_SECTIONS.filter((name) => !savedEntries.some((entry) => entry.name === name));
  return [...savedEntries, ...missing.map((name) => ({ name, isShown: true }))];
}
