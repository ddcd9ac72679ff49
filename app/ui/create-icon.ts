/**
 * Replaces createLucideIcon() of lucide-react (vite.config.ts), because the unused features of the original are larger
 * than all icons of a page. The server renders icons with the package, so the output must be identical for hydration.
 */
import { type ComponentProps, createElement } from 'react';

interface IconData {
  name: string;
  /** Former names, added as classes. */
  aliases?: string[];
  node: [tag: string, attributes: Record<string, string>][];
}

export default function createIcon({ name, aliases = [], node }: IconData) {
  const names = [name, ...aliases].map((name) => `lucide-${name}`);
  return ({ className, children, ...rest }: ComponentProps<'svg'>) =>
    createElement(
      'svg',
      {
        xmlns: 'http://www.w3.org/2000/svg',
        width: 24,
        height: 24,
        viewBox: '0 0 24 24',
        fill: 'none',
        stroke: 'currentColor',
        strokeWidth: 2,
        strokeLinecap: 'round',
        strokeLinejoin: 'round',
        className: ['lucide', ...names, className].filter(Boolean).join(' '),
        ...(!children && !hasAccessibleName(rest) && { 'aria-hidden': true }),
        ...rest,
      },
      ...node.map(([tag, attributes]) => createElement(tag, attributes)),
      children,
    );
}

function hasAccessibleName(properties: object): boolean {
  return Object.keys(properties).some((name) => /^(aria-|role$|title$)/.test(name));
}
