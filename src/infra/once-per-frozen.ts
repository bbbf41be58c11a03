/**
 * What a pure function makes of a value that can no longer change, made once: a conversation shows the same messages again with every turn.
 * What is not frozen is made anew each time. What was made of a frozen value is frozen, too, so the next step can be made once in turn.
 * Whoever freezes such a value freezes all of it; see `frozen`.
 */
export function oncePerFrozen<Value extends object, Made>(
  make: (value: Value) => Made,
): (value: Value) => Made {
  const makeFor = oncePerFrozenFor<Value, undefined, Made>(make, () => true);
  return (value) => makeFor(value, undefined);
}

/** The same, where it is made for somebody; for somebody else it is made anew. */
export function oncePerFrozenFor<Value extends object, Asked, Made>(
  make: (value: Value, asked: Asked) => Made,
  isSame: (one: Asked, other: Asked) => boolean,
): (value: Value, asked: Asked) => Made {
  const known = new WeakMap<Value, { asked: Asked; made: Made }>();
  return (value, asked) => {
    const before = known.get(value);
    if (before && isSame(before.asked, asked)) return before.made;
    const made = make(value, asked);
    if (Object.isFrozen(value)) known.set(value, { asked, made: frozen(made) });
    return made;
  };
}

/** The value itself, which nobody can change from then on, nor anything in it. */
export function frozen<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
}
