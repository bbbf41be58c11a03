/** Files that are dragged over a part of the page, and those that are dropped. */
export interface FileDrop {
  isOver(): boolean;
  dragged(event: DragEvent): void;
  left(event: DragEvent): void;
  dropped(event: DragEvent): void;
}

export interface FileDropParts {
  /** Files that leave it are gone. */
  place: HTMLElement;
  mayDrop(): boolean;
  onChange(): void;
  onFiles(files: File[]): void;
}

export function createFileDrop({ place, mayDrop, onChange, onFiles }: FileDropParts): FileDrop {
  let isOver = false;

  function become(next: boolean): void {
    if (next === isOver) return;
    isOver = next;
    onChange();
  }

  return {
    isOver: () => isOver,
    dragged(event) {
      if (!event.dataTransfer?.types.includes("Files") || !mayDrop()) return;
      event.preventDefault();
      become(true);
    },
    left(event) {
      if (!place.contains(event.relatedTarget as Node | null)) become(false);
    },
    dropped(event) {
      const files = [...(event.dataTransfer?.files ?? [])];
      become(false);
      if (files.length === 0) return;
      event.preventDefault();
      onFiles(files);
    },
  };
}
