export function Brand() {
  return (
    <p class="brand">
      <img src="icon.svg" alt="" width="20" height="20" />
      <span>
        Animal Store <span class="quiet">console</span>
      </span>
    </p>
  );
}
