// The script of a page, part 2: long lists, of which only the rows in view are in the document.

const hex = (n, digits) => n.toString(16).padStart(digits, "0");
const byID = (id) => document.getElementById(id);

function element(name, className, text = "") {
	const e = document.createElement(name);
	e.className = className;
	e.textContent = text;
	return e;
}

// A List shows the rows in view of a long list. draw returns the element of a row.
class List {
	constructor(box, count, draw) {
		this.box = box;
		this.count = count;
		this.draw = draw;
		this.space = element("div", "space");
		this.view = element("div", "view");
		this.space.setAttribute("role", "presentation");
		this.view.setAttribute("role", "presentation");
		this.space.append(this.view);
		box.append(this.space);
		this.view.append(draw(0));
		this.height = this.view.firstChild.getBoundingClientRect().height || 20;
		this.space.style.height = `${count * this.height}px`;
		box.addEventListener("scroll", () => this.update(), { passive: true });
		new ResizeObserver(() => this.update()).observe(box);
	}

	update() {
		const spare = 4;
		const first = Math.max(0, Math.floor(this.box.scrollTop / this.height) - spare);
		const last = Math.min(this.count, first + Math.ceil(this.box.clientHeight / this.height) + 2 * spare);
		const rows = [];
		for (let i = first; i < last; i++) {
			rows.push(this.draw(i));
		}
		this.view.style.top = `${first * this.height}px`;
		this.view.replaceChildren(...rows);
	}

	// reveal scrolls to a row, unless it is in view.
	reveal(i) {
		const top = i * this.height;
		const { scrollTop, clientHeight } = this.box;
		if (top < scrollTop || top + this.height > scrollTop + clientHeight) {
			this.box.scrollTop = top - clientHeight / 3;
		}
		this.update();
	}

	page() {
		return Math.max(1, Math.floor(this.box.clientHeight / this.height) - 1);
	}
}
