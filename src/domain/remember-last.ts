/**
 * A function that has its last answer ready for whoever asks the same again. Floods do: what is
 * refused by the thousand is refused with the same words.
 */
export function rememberLast<Argument, Value>(
  isSame: (last: Argument, next: Argument) => boolean,
  answer: (argument: Argument) => Value,
): (argument: Argument) => Value {
  let last: { readonly argument: Argument; readonly value: Value } | undefined;
  return (argument) => {
    if (last === undefined || !isSame(last.argument, argument)) {
      last = { argument, value: answer(argument) };
    }
    return last.value;
  };
}
