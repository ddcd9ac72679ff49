/**
 * Writes the messages of a client in the extended query protocol into one buffer. PGlite's own query() would send them
 * one by one; so a whole batch is one exchange. All numbers are big-endian, strings end with a NUL.
 * https://www.postgresql.org/docs/current/protocol-message-formats.html
 */

/** Larger buffers are given back to the allocator after the request that needed them. */
const KEPT_BYTES = 256 * 1024;

/** A UTF-16 unit takes at most so many bytes in UTF-8. */
const BYTES_PER_UNIT = 3;

export class RequestWriter {
  #buffer = Buffer.allocUnsafeSlow(16 * 1024);
  #length = 0;

  /** Parses `text` under a name. Neither may contain a NUL. */
  parse(name: string, text: string): void {
    const start = this.#begin('P');
    this.#cString(name);
    this.#cString(text);
    this.#int16(0);
    this.#end(start);
  }

  /** Runs the statement of that name once and asks for all of its rows and their description. */
  run(name: string, values: readonly (string | Uint8Array | null)[]): void {
    const bind = this.#begin('B');
    this.#cString('');
    this.#cString(name);
    this.#int16(values.length);
    for (const value of values) this.#int16(value instanceof Uint8Array ? 1 : 0);
    this.#int16(values.length);
    for (const value of values) this.#value(value);
    this.#int16(0);
    this.#end(bind);

    const describe = this.#begin('D');
    this.#cString('P');
    this.#end(describe);

    const execute = this.#begin('E');
    this.#cString('');
    this.#int32(0);
    this.#end(execute);
  }

  /** Forgets the statement of that name; one that does not exist is no error. */
  close(name: string): void {
    const start = this.#begin('C');
    this.#cString(`S${name}`);
    this.#end(start);
  }

  /** Writes several statements without parameters, one transaction. Ends the request without a sync. */
  script(sql: string): void {
    const start = this.#begin('Q');
    this.#cString(sql);
    this.#end(start);
  }

  /** Ends the transaction of the messages before it. */
  sync(): void {
    this.#end(this.#begin('S'));
  }

  /** Returns the request in an ArrayBuffer of its own, which can be transferred; the writer is empty again. */
  take(): Uint8Array<ArrayBuffer> {
    const request = new Uint8Array(this.#buffer.subarray(0, this.#length));
    this.#length = 0;
    if (this.#buffer.length > KEPT_BYTES) this.#buffer = Buffer.allocUnsafeSlow(KEPT_BYTES);
    return request;
  }

  #begin(type: string): number {
    this.#reserve(5);
    this.#length = this.#buffer.writeUInt8(type.charCodeAt(0), this.#length);
    this.#length += 4;
    return this.#length - 4;
  }

  /** Writes the length of the message, which counts itself but not the type. */
  #end(start: number): void {
    this.#buffer.writeInt32BE(this.#length - start, start);
  }

  #value(value: string | Uint8Array | null): void {
    if (value === null) {
      this.#int32(-1);
    } else if (typeof value === 'string') {
      this.#reserve(4 + value.length * BYTES_PER_UNIT);
      const size = this.#buffer.write(value, this.#length + 4);
      this.#buffer.writeInt32BE(size, this.#length);
      this.#length += 4 + size;
    } else {
      this.#int32(value.length);
      this.#reserve(value.length);
      this.#buffer.set(value, this.#length);
      this.#length += value.length;
    }
  }

  #cString(text: string): void {
    this.#reserve(text.length * BYTES_PER_UNIT + 1);
    this.#length += this.#buffer.write(text, this.#length);
    this.#length = this.#buffer.writeUInt8(0, this.#length);
  }

  #int16(value: number): void {
    this.#reserve(2);
    this.#length = this.#buffer.writeUInt16BE(value, this.#length);
  }

  #int32(value: number): void {
    this.#reserve(4);
    this.#length = this.#buffer.writeInt32BE(value, this.#length);
  }

  #reserve(size: number): void {
    if (this.#length + size <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafeSlow((this.#length + size) * 2);
    larger.set(this.#buffer.subarray(0, this.#length));
    this.#buffer = larger;
  }
}
