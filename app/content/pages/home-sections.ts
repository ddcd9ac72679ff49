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

export interface HomePlace {
  name: HomeSection;
  isShown: boolean;
}

/** Adds missing sections at the end, such as sections that are newer than the saved order. */
export function completeOrder(places: readonly HomePlace[]): HomePlace[] {
  const missing = HOME_SECTIONS.filter((name) => !places.some((place) => place.name === name));
  return [...places, ...missing.map((name) => ({ name, isShown: true }))];
}
