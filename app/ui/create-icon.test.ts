import { type ComponentType, createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import createIcon from './create-icon.ts';

const FILES = ['sun', 'layout-dashboard', 'circle-exclamation-point', 'ellipsis'];

/** Renders an icon to HTML with sorted attributes, because their order differs. */
function renderSorted(Icon: ComponentType<object>, properties: object): string {
  return renderToStaticMarkup(createElement(Icon, properties)).replace(
    /<(\w+)((?: [\w:-]+="[^"]*")+)/g,
    (_tag, name: string, attributes: string) => `<${name} ${(attributes.match(/[\w:-]+="[^"]*"/g) ?? []).sort()}`,
  );
}

for (const file of FILES) {
  test(`Renders the icon ${file} exactly like lucide-react`, async () => {
    const icon = await import(`../../node_modules/lucide-react/dist/esm/icons/${file}.mjs`);
    const Replacement = createIcon(icon.__iconData);
    for (const properties of [
      {},
      { 'aria-hidden': 'true', className: 'size-4 text-muted' },
      { role: 'img', 'aria-label': 'Menu', strokeWidth: 1.5 },
    ])
      expect(renderSorted(Replacement, properties)).toBe(renderSorted(icon.default, properties));
  });
}
