// Pictures open in full size; long code in tables breaks after punctuation; what can be scrolled sideways fades out at its edge as long as there is more.
addEventListener("DOMContentLoaded", () => {
  for (const picture of document.querySelectorAll(".bd-article img:not(a img)")) {
    const link = document.createElement("a");
    Object.assign(link, { href: picture.src, className: "full-size", title: "Open this picture in full size" });
    picture.replaceWith(link);
    link.append(picture);
  }
  for (const code of document.querySelectorAll(".bd-article table.codes code .pre"))
    code.innerHTML = code.innerHTML.replace(/([/(=,._])(?=\w|')/g, "$1<wbr>");
  const look = box => box.classList.toggle("more", box.scrollLeft + box.clientWidth < box.scrollWidth - 1);
  const resized = new ResizeObserver(changes => changes.forEach(change => look(change.target)));
  for (const box of document.querySelectorAll(".bd-article table, .bd-article pre, .bd-article div.math")) {
    resized.observe(box);
    box.addEventListener("scroll", () => look(box), { passive: true });
  }
});
