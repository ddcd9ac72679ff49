import { createFileRoute } from '@tanstack/react-router';
import { Heading, House, Scale, Unlink, Users } from 'lucide-react';
import { MAIN_PAGES } from '../../api/places/public-pages.ts';
import { LinkCard, type LinkCardProps } from '../../ui/link-card.tsx';
import { ScreenHeader } from '../../ui/screen-header.tsx';

export const Route = createFileRoute('/_gate/admin/pages')({ component: Pages });

const CARDS: LinkCardProps[] = [
  {
    to: '/admin/pages/home',
    icon: House,
    title: 'Home Page',
    text: 'Hero, logo banner, USPs, testimonials, booking and the footer of every page.',
  },
  {
    to: '/admin/pages/headers',
    icon: Heading,
    title: 'Page Headers',
    text: `Title and description of ${new Intl.ListFormat('en-GB').format(MAIN_PAGES.filter(({ header }) => header !== null).map(({ label }) => label))}.`,
  },
  {
    to: '/admin/pages/about',
    icon: Users,
    title: 'About: Story, Team and Careers',
    text: 'Our story, additional people in the team carousel, and the careers section.',
  },
  {
    to: '/admin/pages/legal',
    icon: Scale,
    title: 'Legal pages',
    text: 'Privacy, terms and cookies, linked in the footer.',
  },
  {
    to: '/admin/links',
    icon: Unlink,
    title: 'Dead Links',
    text: 'Broken internal links in all content, and missing files.',
  },
];

function Pages() {
  return (
    <div className="grid grid-cols-1 gap-6">
      <ScreenHeader title="Pages" />
      <ul className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
        {CARDS.map((card) => (
          <li key={card.title} className="grid">
            <LinkCard {...card} />
          </li>
        ))}
      </ul>
    </div>
  );
}
