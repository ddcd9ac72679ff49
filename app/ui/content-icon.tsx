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

/** Icons that editors can select, by name. */
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

/** Icon of a service or feature. Falls back to the waves icon. */
export function ContentIcon({ name, className }: { name: string | null; className?: string }) {
  const Icon = (name && ICONS[name]) || Waves;
  return <Icon aria-hidden="true" strokeWidth={1.5} className={className ?? 'size-6'} />;
}
