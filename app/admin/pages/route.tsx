import { createFileRoute, Link, linkOptions } from '@tanstack/react-router';
import { Heading, House, type LucideIcon, Users } from 'lucide-react';
import { Card } from '../../ui/card.tsx';
import { PageHeader } from '../shell/page-header.tsx';

export const Route = createFileRoute('/_gate/admin/pages')({ component: Pages });

interface PageCard {
  link: { to: string };
  icon: LucideIcon;
  title: string;
  text: string;
}

const CARDS: PageCard[] = [
  {
    link: linkOptions({ to: '/admin/pages/home' }),
    icon: House,
    title: 'Home Page',
    text: 'Hero, logo banner, USPs, testimonials, booking and the footer of every page.',
  },
  {
    link: linkOptions({ to: '/admin/pages/headers' }),
    icon: Heading,
    title: 'Page Headers',
    text: 'Title and description of About, Services, Projects, News and Contact.',
  },
  {
    link: linkOptions({ to: '/admin/pages/about' }),
    icon: Users,
    title: 'About: Team and Careers',
    text: 'The people beside the published team members, and the invitation to join them.',
  },
];

/** What can be edited of the public pages. */
function Pages() {
  return (
    <div className="grid grid-cols-1 gap-6">
      <PageHeader title="Pages" />
      <ul className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
        {CARDS.map(({ link, icon: Icon, title, text }) => (
          <li key={title}>
            <Link {...link} className="block h-full rounded-lg">
              <Card className="grid h-full content-start gap-2 p-5 transition-colors duration-150 hover:border-line-strong hover:bg-sunken">
                <Icon aria-hidden="true" className="size-5 text-accent" />
                <span className="font-semibold">{title}</span>
                <span className="text-sm text-muted">{text}</span>
              </Card>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
