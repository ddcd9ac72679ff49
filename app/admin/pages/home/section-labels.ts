import type { HomeSection } from '../../../content/pages/home-sections.ts';

export const SECTION_LABELS: Record<HomeSection, string> = {
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
  handover: 'Handover',
  contact: 'Contact form',
  booking: 'Booking',
};
