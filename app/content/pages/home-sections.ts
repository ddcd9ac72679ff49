import { keysOf } from '../../ui/lib/keys-of.ts';

/** Sections below the hero of the home page, in the default order, with their labels in the admin area. */
export const HOME_SECTIONS = {
  'logo-banner': 'Logo banner',
  highlights: 'Highlights',
  testimonials: 'Testimonials',
  services: 'Services',
  features: 'Feature tiles',
  'domain-check': 'Domain check',
  sequence: 'Sequence',
  deliverability: 'Deliverability',
  projects: 'Projects',
  insights: 'Latest posts',
  reviews: 'Reviews',
  handover: 'Hand-over',
  contact: 'Contact form',
  booking: 'Booking',
};

export type HomeSection = keyof typeof HOME_SECTIONS;

export interface HomePlace {
  name: HomeSection;
  isShown: boolean;
}

export const HOME_PLACES = keysOf(HOME_SECTIONS).map((name) => ({ name, isShown: true }));

/** Returns a place for every section. Sections that were added after the order was saved come last. */
export function completeOrder(places: readonly HomePlace[]): HomePlace[] {
  const names = new Set(places.map(({ name }) => name));
  return [...places, ...HOME_PLACES.filter(({ name }) => !names.has(name))];
}
