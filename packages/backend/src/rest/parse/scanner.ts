import { unparsableParameter } from '../rest-errors.ts';

/** Letters, digits, _, space and $, joined by dashes that do not start an arrow. */
const NAME = /[\p{L}\p{N}_ $]+(?:-(?!>)[\p{L}\p{N}_ $]+)*/uy;
const IDENTIFIER = /[\p{L}\p{N}_ $]+/uy;
const QUOTED = /"((?:[^"\\]|\\.)*)"/suy;

/** A cursor over one query parameter. Errors are PGRST100 with the column of the cursor. */
export class Scanner {
  readonly #text: string;
  readonly #problem: string;
  position = 0;

  /** `problem` is the start of the error message, such as `failed to parse filter (…)`. */
  constructor(text: string, problem: string) {
    this.#text = text;
    this.#problem = problem;
  }

  get atEnd(): boolean {
    return this.position >= this.#text.length;
  }

  /** Returns the character at the cursor, or an empty text at the end. */
  peek(): string {
    return this.#text.charAt(this.position);
  }

  looksAt(expected: string): boolean {
    return this.#text.startsWith(expected, this.position);
  }

  /** Consumes `expected` if it is next. */
  consume(expected: string): boolean {
    if (!this.looksAt(expected)) return false;
    this.position += expected.length;
    return true;
  }

  expect(expected: string): void {
    if (!this.consume(expected)) this.fail(JSON.stringify(expected));
  }

  /** Consumes the match of a sticky pattern and returns it. */
  match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.position;
    const match = pattern.exec(this.#text);
    if (match) this.position = pattern.lastIndex;
    return match;
  }

  /** Consumes the rest. */
  rest(): string {
    const text = this.#text.slice(this.position);
    this.position = this.#text.length;
    return text;
  }

  skipBlanks(): void {
    this.match(/[ \t]*/y);
  }

  /** Consumes a double-quoted text and returns it without escapes, or null. */
  quoted(): string | null {
    const match = this.match(QUOTED);
    return match ? (match[1] ?? '').replace(/\\(.)/gs, '$1') : null;
  }

  /** Consumes a column, table or alias name, quoted or bare. */
  name(): string {
    const quotedName = this.quoted();
    if (quotedName !== null) return quotedName;
    const start = this.position;
    const bareName = this.match(NAME)?.[0].trim();
    if (bareName) return bareName;
    this.position = start;
    return this.fail('field name (* or [a..z0..9_$])');
  }

  /** Consumes a type name or language, which cannot have dashes or quotes. */
  identifier(): string {
    const name = this.match(IDENTIFIER)?.[0].trim();
    return name || this.fail('letter or digit');
  }

  /** Runs `attempt`. If it fails or returns null, resets the cursor and returns null. */
  attempt<T>(attempt: () => T | null): T | null {
    const start = this.position;
    const result = attempt();
    if (result === null) this.position = start;
    return result;
  }

  expectEnd(): void {
    if (!this.atEnd) this.fail('end of input');
  }

  fail(expected: string): never {
    const actual = this.atEnd ? 'end of input' : JSON.stringify(this.peek());
    return this.failWith(`unexpected ${actual} expecting ${expected}`);
  }

  failWith(details: string): never {
    throw unparsableParameter(this.#problem, this.position + 1, details);
  }
}
