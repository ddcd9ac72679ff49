/** The six pages of the top navigation, in order. */
export const NAVIGATION_LINKS: { label: string; to: string }[] = [
  { label: 'Home', to: '/' },
  { label: 'About', to: '/about' },
  { label: 'Services', to: '/services' },
  { label: 'Projects', to: '/projects' },
  { label: 'News', to: '/news' },
  { label: 'Contact', to: '/contact' },
];
