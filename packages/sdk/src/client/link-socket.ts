/** The part of a WebSocket that the client uses: those of browsers, of Node and of `ws` fit. */
export interface LinkSocket {
  /** 1 while texts can be sent. A closing socket takes them without an error, and drops them. */
  readonly readyState: number;
  addEventListener(type: "message", listener: (event: { data: unknown }) => void): void;
  addEventListener(type: "close", listener: (event: { code: number; reason: string }) => void): void;
  addEventListener(type: "error", listener: () => void): void;
  send(text: string): void;
  close(code?: number, reason?: string): void;
}

interface SocketEars {
  text(text: string): void;
  /** Once, whatever ended it. */
  closed(code: number, reason: string): void;
}

/** The returned function removes the listeners and closes; no event follows. */
export function listenTo(socket: LinkSocket, ears: SocketEars): () => void {
  let isOver = false;
  socket.addEventListener("message", ({ data }) => {
    if (!isOver && typeof data === "string") ears.text(data);
  });
  // A close always follows, and says more.
  socket.addEventListener("error", () => {});
  socket.addEventListener("close", ({ code, reason }) => {
    if (isOver) return;
    isOver = true;
    ears.closed(code, reason);
  });
  return () => {
    isOver = true;
    socket.close(1000);
  };
}
