/** The `Response` of the web platform, without Node's, for the same reason as `HttpHeaders`. Forms it does not read. */
import { arrayBuffer } from "node:stream/consumers";
import { HttpHeaders } from "./http-headers.ts";

/** What the platform's types demand of a body; nothing here shares memory. */
type Bytes = ReadableStream<Uint8Array<ArrayBuffer>>;
/** A function is called when the stream is asked for, once. */
type Body = string | ReadableStream<Uint8Array> | (() => ReadableStream<Uint8Array>);

export class HttpResponse implements Response {
  readonly status: number;
  readonly statusText: string;
  readonly headers: HttpHeaders;
  readonly redirected = false;
  readonly type = "default";
  readonly url = "";
  #body: Bytes | null;
  #makeBody: (() => ReadableStream<Uint8Array>) | undefined;
  #isRead = false;

  /** Throws TypeError for headers that cannot be. */
  constructor(body: Body | null = null, { status = 200, statusText = "", headers }: ResponseInit = {}) {
    this.status = status;
    this.statusText = statusText;
    this.headers = new HttpHeaders(headers);
    if (typeof body === "function") this.#makeBody = body;
    this.#body =
      typeof body === "string"
        ? new Blob([body]).stream()
        : typeof body === "function"
          ? null
          : (body as Bytes | null);
    if (typeof body === "string" && !this.headers.has("content-type"))
      this.headers.set("content-type", "text/plain;charset=UTF-8");
  }

  get ok(): boolean {
    return this.status >= 200 && this.status <= 299;
  }

  get body(): Bytes | null {
    const make = this.#makeBody;
    if (make) {
      this.#makeBody = undefined;
      this.#body = make() as Bytes;
    }
    return this.#body;
  }

  get bodyUsed(): boolean {
    return this.#isRead || this.#body?.locked === true;
  }

  clone(): HttpResponse {
    this.#failIfUsed();
    const { body } = this;
    if (!body) return new HttpResponse(null, this);
    const [mine, other] = body.tee();
    this.#body = mine;
    return new HttpResponse(other, this);
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    this.#failIfUsed();
    const { body } = this;
    if (!body) return new ArrayBuffer(0);
    this.#isRead = true;
    return arrayBuffer(body);
  }

  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array(await this.arrayBuffer());
  }

  async text(): Promise<string> {
    return new TextDecoder().decode(await this.arrayBuffer());
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }

  async blob(): Promise<Blob> {
    return new Blob([await this.arrayBuffer()], { type: this.headers.get("content-type") ?? "" });
  }

  async formData(): Promise<never> {
    throw new TypeError("forms are not read here");
  }

  get [Symbol.toStringTag](): string {
    return "Response";
  }

  #failIfUsed(): void {
    if (this.bodyUsed) throw new TypeError("the body has been read already");
  }
}
