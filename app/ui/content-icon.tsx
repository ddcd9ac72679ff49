import {
  ChartNoAxesColumn,
  Inbox,
  Lock,
  type LucideIcon,
  MessagesSquare,
  PenLine,
  Plug,
  Radar,
  Send,
  ShieldCheck,
  Split,
  Waves,
} from 'lucide-react';

/** The pictures that an icon name stands for; editors choose among these names. */
const ICONS: Record<string, LucideIcon> = {
  chart: ChartNoAxesColumn,
  inbox: Inbox,
  lock: Lock,
  messages: MessagesSquare,
  pen: PenLine,
  plug: Plug,
  radar: Radar,
  send: Send,
  shield: ShieldCheck,
  split: Split,
  waves: Waves,
};

export const ICON_NAMES = Object.keys(ICONS);

/** The icon of a service or feature; waves for a name that is unknown or missing. */
export function ContentIcon({ name, className }: { name: string | null; className?: string }) {
  const Icon = (name && ICONS[name]) || Waves;
  return <Icon aria-hidden="true" strokeWidth={1.5} className={className ?? 'size-6'} />;
}
