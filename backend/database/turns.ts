/**
 * Who may use a single connection next, first come, first served: several with one exchange each, or one alone with a
 * transaction of many.
 */
export class Turns {
  readonly #atOnce: number;
  readonly #waiting: { isAlone: boolean; begin: () => void }[] = [];
  #running = 0;
  #isAlone = false;

  /** Up to `atOnce` exchanges may be under way, so that the next ones are at hand when one ends. */
  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Runs `work` when its turn comes, alone or beside others. */
  async take<T>(isAlone: boolean, work: () => Promise<T>): Promise<T> {
    if (this.#waiting.length > 0 || !this.#isFree(isAlone)) {
      await new Promise<void>((begin) => this.#waiting.push({ isAlone, begin }));
    } else {
      this.#begin(isAlone);
    }
    try {
      return await work();
    } finally {
      this.#running--;
      this.#isAlone = false;
      this.#admit();
    }
  }

  #isFree(isAlone: boolean): boolean {
    return !this.#isAlone && this.#running < (isAlone ? 1 : this.#atOnce);
  }

  #begin(isAlone: boolean): void {
    this.#running++;
    this.#isAlone = isAlone;
  }

  #admit(): void {
    for (let next = this.#waiting[0]; next && this.#isFree(next.isAlone); next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#begin(next.isAlone);
      next.begin();
    }
  }
}
