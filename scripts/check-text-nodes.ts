/**
 * Rejects JSX whose text nodes break when a browser translates the page. Part of `npm run check`.
 *
 * Chrome and Edge replace each text node with `<font>` elements. React keeps a reference to the replaced node. If React
 * removes this node or inserts an element before it, the browser throws `NotFoundError` and React unmounts the page.
 * Text next to conditional content therefore needs its own element. The only text child of an element is safe, because
 * React replaces the whole content of the parent.
 */
import { globSync, readFileSync } from 'node:fs';
import { type ESTree, parseSync, Visitor } from 'vite';

/** Possible results of an expression. `nothing` is `null`, `undefined` or a boolean. */
type Rendered = 'text' | 'element' | 'nothing';

/** Returns a message for each JSX element with such children. `path` is relative to the project. */
export function unstableTextNodes(path: string, source: string): string[] {
  const problems: string[] = [];
  const check = (node: ESTree.JSXElement | ESTree.JSXFragment) => {
    const children = node.children.map(renderedBy).filter((rendered) => rendered.size > 0);
    if (!children.some((rendered, index) => isUnstable(rendered, children, index))) return;
    const line = source.slice(0, node.start).split('\n').length;
    problems.push(`${path}:${line}: wrap text next to conditional content in its own element`);
  };
  new Visitor({ JSXElement: check, JSXFragment: check }).visit(parseSync(path, source).program);
  return problems;
}

/** Returns true for conditional text with siblings, and for a conditional element followed by text. */
function isUnstable(rendered: Set<Rendered>, children: readonly Set<Rendered>[], index: number): boolean {
  if (rendered.size < 2 || children.length < 2) return false;
  if (rendered.has('text')) return true;
  // React inserts before the next permanent sibling.
  return (
    children
      .slice(index + 1)
      .find((next) => !next.has('nothing'))
      ?.has('text') ?? false
  );
}

function renderedBy(child: ESTree.JSXChild): Set<Rendered> {
  if (child.type === 'JSXText') return new Set(child.value.trim() === '' ? [] : ['text']);
  if (child.type !== 'JSXExpressionContainer') return new Set(['element']);
  return child.expression.type === 'JSXEmptyExpression' ? new Set() : renderedByExpression(child.expression);
}

function renderedByExpression(expression: ESTree.Expression): Set<Rendered> {
  switch (expression.type) {
    case 'ChainExpression':
    case 'ParenthesizedExpression':
      return renderedByExpression(expression.expression);
    case 'LogicalExpression':
      return expression.operator === '&&'
        ? new Set<Rendered>(['nothing', ...renderedByExpression(expression.right)])
        : new Set([...renderedByExpression(expression.left), ...renderedByExpression(expression.right)]);
    case 'ConditionalExpression':
      return new Set([...renderedByExpression(expression.consequent), ...renderedByExpression(expression.alternate)]);
    case 'JSXElement':
    case 'JSXFragment':
      return new Set(['element']);
    case 'Literal':
      return new Set([
        typeof expression.value === 'string' || typeof expression.value === 'number' ? 'text' : 'nothing',
      ]);
    case 'Identifier':
      return new Set([expression.name === 'undefined' ? 'nothing' : 'text']);
    case 'CallExpression':
      return rendersElements(expression) ? new Set(['element', 'nothing']) : new Set(['text']);
    default:
      // Unknown value, which may be text.
      return new Set(['text']);
  }
}

/** Returns true for `items.map(...)`, which renders keyed elements, and for `createPortal(...)`. */
function rendersElements({ callee }: ESTree.CallExpression): boolean {
  if (callee.type === 'Identifier') return callee.name === 'createPortal';
  return callee.type === 'MemberExpression' && callee.property.type === 'Identifier' && callee.property.name === 'map';
}

if (import.meta.main) {
  const files = globSync('app/**/*.tsx', { exclude: ['**/*.test.tsx'] });
  const problems = files.flatMap((path) => unstableTextNodes(path, readFileSync(path, 'utf8')));
  for (const problem of problems) console.error(problem);
  process.exit(problems.length > 0 ? 1 : 0);
}
