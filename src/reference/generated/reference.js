/*!
This file contains:

preact 11.2.0

The MIT License (MIT)

Copyright (c) 2015-present Jason Miller

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.
*/
var S,He,Zt,M,Se,se,Ue,te,Be,be,ve,en,V=Symbol.for("pv"),ie={},ae=[],tn=/^m(i|n|o|s|text|space)$/,xe=Array.isArray,Fe=ae.slice,F=Object.assign;function B(e){e&&e.parentNode&&e.remove()}function ne(e,t,n,o,r){var s={type:e,props:t,key:n,ref:o,__k:null,__:null,__b:0,__e:null,__c:null,constructor:V,__v:r||++He,__i:-1,__u:0};return!r&&S.vnode&&S.vnode(s),s}function I(e){return e.children}function oe(e,t){this.props=e,this.context=t,this.__g=0}function q(e,t){if(t==null)return e.__&&q(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:q(e)}function nn(e){var t,n=e.__v,o=n.__e,r=[],s=[],i=e.__P;i&&((t=F({constructor:V},n)).__v=n.__v+1,S.vnode&&S.vnode(t),Ee(i,t,n,e.__n,i.namespaceURI,32&n.__u?[o]:null,r,o||q(n),32&n.__u,s),t.__v=n.__v,t.__.__k[t.__i]=t,Ye(r,t,s),n.__=n.__e=null,t.__e!=o&&je(t))}function je(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),je(e)}function qe(e){(8&e.__g||(e.__g|=8,M.push(e),se++))&&Se==S.debounceRendering||((Se=S.debounceRendering)||queueMicrotask)(Ge)}function Ge(){try{for(var e,t=1;M.length;)M.length>t&&M.sort(Ue),e=M.shift(),t=M.length,8&e.__g&&nn(e)}finally{(se=M.length)&&(Se||queueMicrotask)(Ge)}}function Ve(e,t,n,o,r,s,i,l,d,_,u){var m,g,a,y,x,f,p=o.__k||ae,h=t.length;for(d=on(n,t,p,d,h),m=0;m<h;m++)(a=n.__k[m])!=null&&(g=~a.__i&&p[a.__i]||ie,a.__i=m,f=Ee(e,a,g,r,s,i,l,d,_,u),y=a.__e,(g.ref!=a.ref||8&g.__u)&&(g.ref&&we(g.ref,null,a,g),a.ref&&u.push(a.ref,a.__c||y,a)),x=x||y,4&a.__u?(d=Je(a,d,e,!g.__v),g.__e&&(g.__e=null)):typeof a.type=="function"&&f!==void 0?d=f:y&&(d=y.nextSibling),a.__u&=-21);return n.__e=x,d}function on(e,t,n,o,r){var s,i,l,d,_,u,m,g,a,y=n.length,x=y,f=0,p=0,h=e.__k=Array(r);for(s=0;s<r;s++)(i=t[s])!=null&&typeof i!="boolean"&&typeof i!="function"?(typeof i!="object"||i.constructor===String?i=h[s]=ne(null,i):xe(i)?i=h[s]=ne(I,{children:i}):i.constructor===V&&i.__b?i=h[s]=ne(i.type,i.props,i.key,i.ref,i.__v):h[s]=i,d=s+f,i.__=e,i.__b=e.__b+1,l=null,~(_=i.__i=rn(i,n,d,x))&&(x--,(l=n[_])&&(l.__u|=2)),l&&l.__v?(i.__u|=16,_==d-1?f--:_==d+1?f++:_!=d&&(_>d?f--:f++,p=1)):(~_||(r>y?f--:r<y&&f++),typeof i.type!="function"&&(i.__u|=4))):h[s]=null;if(p){for(u=[],m=[],s=0;s<r;s++)if((i=h[s])&&16&i.__u){for(f=0,g=u.length;f<g;)u[a=f+g>>1]<i.__i?f=a+1:g=a;u[f]=i.__i,m[s]=f+1}for(f=u.length;s--;)m[s]&&(m[s]==f?f--:h[s].__u|=4)}if(x)for(s=0;s<y;s++)!(l=n[s])||2&l.__u||(l.__e==o&&(o=q(l)),Te(l,l));return o}function Je(e,t,n,o){var r,s,i,l;if(typeof e.type=="function"){if(e.props.__P)return t;if(r=e.__k)for(s=0;s<r.length;s++)r[s]&&(r[s].__=e,t=Je(r[s],t,n,!1));return t}for(t&&!t.parentNode&&(t=q(e))&&!t.parentNode&&(t=null),i=e.__e,l=t;l&&l.nodeType==8;)l=l.nextSibling;for(i!=l&&(!o&&n.moveBefore&&i.parentNode?n.moveBefore(i,t):n.insertBefore(i,t||null)),t=i;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function rn(e,t,n,o){var r,{key:s,type:i}=e,l=t[n],d=l&&!(2&l.__u);if(l===null&&s==null||d&&s==l.key&&i==l.type)return n;if(o>(d?1:0)){for(r=n-1;r>=0;r--)if((l=t[r])&&!(2&l.__u)&&s==l.key&&i==l.type)return r;for(r=n+1;r<t.length;r++)if((l=t[r])&&!(2&l.__u)&&s==l.key&&i==l.type)return r}return-1}function De(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function ee(e,t,n,o,r){var s,i;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof o=="string"&&(e.style.cssText=o=""),o)for(t in o)n&&t in n||De(e.style,t);if(n)for(t in n)o&&n[t]==o[t]||De(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),typeof o!="function"&&(o=null),(e.__e||(e.__e={}))[t]=n,n&&o||(i=ve[t]||(ve[t]=sn(t)),(e.__a||(e.__a={}))[t]=be,s=t!=(t=t.replace(Be,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(t,i,s):e.removeEventListener(t,i,s));else{if(r=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n==null?"":n)}catch(l){}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function sn(e){return function(t){var n=this.__e;if(n){if(n=n[e],t[te]==null)t[te]=be++;else if(t[te]<this.__a[e])return;return n(S.event?S.event(t):t)}}}function Ee(e,t,n,o,r,s,i,l,d,_){var u,m,g,a,y,x,f,p,h,b,v,ye,Le,Z,H,Me,L,U,O=t.type;if(t.constructor!==V)return null;128&n.__u&&(d=32&n.__u,u=n.__c.__z)&&(t.__u|=d,m=s=[],u.nodeType==8?l=re(u,s):s.push(u),l=s[0]||l),(u=S.__b)&&u(t);e:if(typeof O=="function"){g=i.length;try{if(p=t.props,h=(u=O.prototype)&&u.render,b=(u=O.contextType)&&o[u.__c],v=u?b?b.props.value:u.__:o,(a=n.__c)?(t.__c=a,2&a.__g&&(a.__g|=1)):(h?t.__c=a=new O(p,v):(t.__c=a=new oe(p,v),a.constructor=O,a.render=ln),b&&b.sub(a),a.state||(a.state={}),a.__n=o,a.__g|=8,a.__h=[],a.__k=[]),h&&(a.__s||(a.__s=a.state),O.getDerivedStateFromProps&&(a.__s==a.state&&(a.__s=F({},a.__s)),F(a.__s,O.getDerivedStateFromProps(p,a.__s)))),y=a.props,x=a.state,a.__v=t,n.__c){if(p!==y&&h&&!O.getDerivedStateFromProps&&a.componentWillReceiveProps&&a.componentWillReceiveProps(p,v),t.__v==n.__v&&!(8&a.__g)||!(4&a.__g)&&a.shouldComponentUpdate&&a.shouldComponentUpdate(p,a.__s,v)===!1){t.__v!=n.__v&&(a.props=p,a.state=a.__s,a.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.some(function(R){R&&(R.__=t)}),ae.push.apply(a.__h,a.__k),a.__k=[],a.__h.length&&i.push(a),l=q(n);break e}a.componentWillUpdate&&a.componentWillUpdate(p,a.__s,v),h&&a.componentDidUpdate&&a.__h.push(function(){a.componentDidUpdate(y,x,f)})}else h&&!O.getDerivedStateFromProps&&a.componentWillMount&&a.componentWillMount(),h&&a.componentDidMount&&a.__h.push(a.componentDidMount);a.context=v,a.props=p,a.__P=e,a.__g&=-5,ye=S.__r,Le=h?25:0;do a.__g&=-9,ye&&ye(t),u=a.render(a.props,a.state=a.__s,a.context);while(8&a.__g&&++Le<25);h&&(ae.push.apply(a.__h,a.__k),a.__k=[]),a.state=a.__s,a.getChildContext&&(o=F({},o,a.getChildContext())),h&&n.__c&&a.getSnapshotBeforeUpdate&&(f=a.getSnapshotBeforeUpdate(y,x)),Z=u&&u.type===I&&u.key==null?u.props.children:u,p.__P&&(u=l,r=(e=p.__P).namespaceURI,d=s=null,n.props&&n.props.__P!=e&&(n.__k.some(function(R){R&&Te(R,R)}),n.__k=null),l=n.__k?q(n,0):null),l=Ve(e,xe(Z)?Z:[Z],t,n,o,r,s,i,l,d,_),p.__P&&(t.__e=null,l=u),t.__u&=-161,m&&m.some(B),a.__h.length&&i.push(a),1&a.__g&&(a.__g&=-4)}catch(R){if(i.length=g,t.__v=null,d||s)if(R&&R.then){if(t.__u|=128|d,s){for(~(L=s.indexOf(l||void 0))||(L=s.length);(U=s[L-1])&&U.nodeType==8;)L--;for(;L<s.length;L++)if(U=s[L])if(s[L]=null,H){if(U==Me)break}else{if(U.nodeType!=8)break;U.data.startsWith("$s")&&(Me=re(H=U))}}if(!H){for(;l&&l.nodeType==8&&l.nextSibling;)l=l.nextSibling;H=l}(u=re(H=t.__c.__z||(t.__c.__z=H)))?(t.__e=H,l=u):t.__e=l,l=l&&l.nextSibling}else s&&s.some(B);else t.__e=n.__e;t.__k||(t.__k=n.__k||[]),R&&R.then||We(t),S.__e(R,t,n)}}else l=t.__e=an(n.__e,t,n,o,r,s,i,d,_,e);return(u=S.diffed)&&u(t),l}function re(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function We(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(We))}function Ye(e,t,n){for(var o=0;o<n.length;)we(n[o++],n[o++],n[o++]);S.__c&&S.__c(t,e),e.some(function(r){try{e=r.__h,r.__h=[],e.some(function(s){s.call(r)})}catch(s){S.__e(s,r.__v)}})}function an(e,t,n,o,r,s,i,l,d,_){var u,m,g,a,y,x,f,p,h=n.props||ie,{props:b,type:v}=t;if(v=="svg"?r="http://www.w3.org/2000/svg":v=="math"?r="http://www.w3.org/1998/Math/MathML":r||(r="http://www.w3.org/1999/xhtml"),s){for(u=0;u<s.length;u++)if((y=s[u])&&(v?y.localName==v:y.nodeType==3)){e=y,s[u]=null;break}}if(!e){if(p=_.ownerDocument||document,!v)return p.createTextNode(b);e=p.createElementNS(r,v,b.is?b:_),l&&(S.__m&&S.__m(t,s),l=!1),s=null}if(v){if(_=v=="template"&&e.content||e,s=v=="textarea"&&b.defaultValue!=null?null:s&&Fe.call(_.childNodes),!l&&s)for(h={},u=0;u<e.attributes.length;u++)h[(y=e.attributes[u]).name]=y.value;for(u in h)y=h[u],u=="dangerouslySetInnerHTML"?g=y:u=="children"||(u in b)||u=="value"&&("defaultValue"in b)||u=="checked"&&("defaultChecked"in b)||ee(e,u,null,y,r);for(u in b)y=b[u],u=="children"?a=y:u=="dangerouslySetInnerHTML"?m=y:u=="value"?x=y:u=="checked"?f=y:l&&typeof y!="function"||h[u]===y||ee(e,u,y,h[u],r);m?(l||g&&(m.__html==g.__html||m.__html==e.innerHTML)||(e.innerHTML=m.__html),t.__k=[]):(g&&(e.textContent=""),(v=="foreignObject"||r=="http://www.w3.org/1998/Math/MathML"&&tn.test(v))&&(r="http://www.w3.org/1999/xhtml"),Ve(_,xe(a)?a:[a],t,n,o,r,s,i,s?s[0]:n.__k&&q(n,0),l,d),s&&s.some(B)),l&&v!="textarea"||(u="value",v=="progress"&&x==null?e.removeAttribute(u):x==null||x===e[u]&&(v!="progress"||x)||ee(e,u,x,h[u],r),u="checked",f!=null&&f!=e[u]&&ee(e,u,f,h[u],r))}else h===b||l&&e.data==b||(e.data=b);return e}function we(e,t,n,o){try{typeof e=="function"?t?t.__x=e(t)||1:o&&(o=o.__c||o.__e)&&(t=o.__x)&&(o.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(r){S.__e(r,n)}}function Te(e,t,n){var o,r,s,i;if(S.unmount&&S.unmount(e),!(o=e.ref)||o.current&&o.current!=e.__e||we(o,null,t,e),o=e.__c){if(o.componentWillUnmount)try{o.componentWillUnmount()}catch(l){S.__e(l,t)}o.__P=o.__n=null}if(o=e.__k)for(i=0;i<o.length;i++)o[i]&&Te(o[i],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(o=e.__c)&&(o=o.__z)&&(r=re(o,s=[]))&&(o==e.__e&&s.some(B),B(r),B(o)),n||B(e.__e),e.__e=e.__c=e.__=null}function ln(e,t,n){return this.constructor(e,n)}function un(e,t){var n,o,r,s;S.__&&S.__(e,t),t.nodeType==9&&(t=t.documentElement),o=(n=e&&32&e.__u)?null:t.__k,t.__k=ne(I,{children:[e]}),r=[],s=[],Ee(t,t.__k,o||ie,ie,t.namespaceURI,o?null:t.firstChild?Fe.call(t.childNodes):null,r,o?o.__e:t.firstChild,n,s),Ye(r,t.__k,s),t.__k.props.children=null}function Ke(e,t){e&&typeof e=="object"&&(e.__u|=32),un(e,t)}S={__e:function(e,t,n,o){for(var r,s,i;t=t.__;)if((r=t.__c)&&!(1&r.__g)){r.__g|=4;try{if((i=(s=r.constructor)&&s.getDerivedStateFromError)&&r.setState(s.getDerivedStateFromError(e)),r.componentDidCatch&&(r.componentDidCatch(e,o||{}),i=1),i&&8&r.__g)return void(r.__g|=2)}catch(l){e=l}}throw se=0,e}},He=0,Zt=function(e){return e!=null&&e.constructor===V},oe.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=F({},this.state)),typeof e=="function"&&(e=e(F({},n),this.props)),e&&(F(n,e),this.__v&&(t&&this.__k.push(t),qe(this)))},oe.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),qe(this))},oe.prototype.render=I,M=[],se=0,Ue=function(e,t){return e.__v.__b-t.__v.__b},te=Symbol(),Be=/(PointerCapture)$|Capture$/i,be=0,ve={},en=0;var W,w,Ae,ze,Re=Object.is,le=0,st=[],Ce=[],E=S,{__b:Xe,__r:Qe,diffed:Ze,__c:et,unmount:tt,__:nt}=E;function ke(e,t){E.__h&&E.__h(w,e,le||t),le=0;var n=w.__H||(w.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function C(e){return le=1,cn(at,e)}function cn(e,t,n){var o=ke(W++,2);if(o.t=e,!o.__c&&(o.__=[n?n(t):at(void 0,t),function(s){var i=(o.__N||o.__)[0],l=o.t(i,s);Re(i,l)||(o.__N=[l,o.__[1]],o.__c.setState({}))}],o.__c=w,!w.__f)){w.__f=!0;var r=w.shouldComponentUpdate;w.shouldComponentUpdate=function(s,i,l){var d=this.__H;if(!d)return!0;var _=!1,u=this.props!=s;if(d.__.some(function(g){g.__N&&(_=!0,Re(g.__[0],g.__N[0])||(u=!0))}),r){var m=r.call(this,s,i,l);return _?m||u:m}return!_||u}}return o.__}function j(e,t){var n=ke(W++,4);!E.__s&&it(n.__H,t)&&(n.__P=!1,n.__=e,n.u=t,w.__h.push(n))}function ue(e){return le=5,pn(function(){return{current:e}},[])}function pn(e,t){var n=ke(W++,7);return it(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function dn(){var e;do{for(;e=Ce.shift();)try{J(e)}catch(n){E.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=st.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(J),t.__h.some(Pe),t.__h=[]}catch(n){t.__h=[],E.__e(n,e.__v)}}}while(Ce.length)}E.__b=function(e){w=null,Xe&&Xe(e)},E.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),nt&&nt(e,t)},E.__r=function(e){Qe&&Qe(e),W=0;var t=(w=e.__c).__H;t&&(Ae==w?w.__h=[]:(t.__h.some(J),t.__h.some(Pe),W=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),Ae=w},E.diffed=function(e){Ze&&Ze(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&rt(st.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),Ae=w=null},E.__c=function(e,t){t.some(function(n){try{n.__h.some(J),n.__h=n.__h.filter(function(o){return!o.__||Pe(o)})}catch(o){n.__h=[function(){throw o}]}}),et&&et(e,t)},E.unmount=function(e){tt&&tt(e);var t,n,o=e.__c;o&&o.__H&&(o.__H.__.some(function(r){try{if(r.__P&&r.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}r.__P=n,rt(Ce.push(r))}else J(r)}catch(s){t=s}}),o.__H=void 0,t&&E.__e(t,o.__v))};var ot=typeof requestAnimationFrame=="function";function fn(e){var t,n=function(){clearTimeout(o),ot&&cancelAnimationFrame(t),setTimeout(e)},o=setTimeout(n,35);ot&&(t=requestAnimationFrame(n))}function rt(e){e!=1&&ze==E.requestAnimationFrame||((ze=E.requestAnimationFrame)||fn)(dn)}function J(e){var t=w,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),w=t}function Pe(e){var t=w;e.__c=e.__(),w=t}function it(e,t){return!e||e.length!=t.length||t.some(function(n,o){return!Re(n,e[o])})}function at(e,t){return typeof t=="function"?t(e):t}var Y="/v1";var lt="/docs/errors";var ut="/docs/search.json",ct="/docs/search.js";var pt="/client.tgz",so={deprecatedAt:new Date("2026-11-14T00:00:00Z"),removedAt:new Date("2030-12-05T00:00:00Z"),successor:"listPets",advice:`Use \`GET ${Y}/pets\` with the \`status\` filter. To read one pet, use \`after={petId - 1}&limit=1\` and compare the id: if no pet has this id, the response has the next pet.`};var _n=Symbol.for("pv"),mn=0;function c(e,t,n,o,r,s){t||(t={});var i,l,d=t;if("ref"in d&&typeof e!="function")for(l in d={},t)l=="ref"?i=t[l]:d[l]=t[l];var _={type:e,props:d,key:n,ref:i,__k:null,__:null,__b:0,__e:null,__c:null,constructor:_n,__v:--mn,__i:-1,__u:0};return(r||s)&&(_.__source=r,_.__self=s),S.vnode&&S.vnode(_),_}function K({language:e,code:t}){return c("pre",{class:"code",tabIndex:0,children:c("code",{children:yn(e,t).map(({kind:n,text:o})=>n===void 0?o:c("span",{class:`code-${n}`,children:o}))})})}function ce({what:e="code"}){return c("button",{type:"button",class:"copy secondary small needs-script","aria-live":"polite",children:["Copy",c("span",{class:"hidden",children:[" ",e]})]})}var hn=$e({name:/"(?:[^"\\\n]|\\.)*"(?=\s*:)|\b\w+(?=\()/,comment:/(?<=^|\s)(?:\/\/|#).*/,string:/"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|`[^`]*`?/,number:/(?<![\w.])-?\d+(?:\.\d+)?n?\b/,keyword:new RegExp("\\b(?:const|let|await|new|throw|import|from|null|undefined|true|false|if|for|while|of|with|as|try|except|raise|package|func|var|defer|nil)\\b")}),gn={curl:$e({comment:/(?<=^|\s)#.*/,string:/'[^']*'?|"[^"]*"?/,keyword:/(?<=\s)--?[a-zA-Z][\w-]*/,name:/^curl\b/}),http:$e({name:/^[\w-]+(?=:)/})};function $e(e){let t=Object.entries(e).map(([n,{source:o}])=>`(?<${n}>${o})`);return new RegExp(t.join("|"),"gm")}function yn(e,t){let n=[],o=0;for(let{0:r,index:s,groups:i={}}of t.matchAll(gn[e]??hn)){if(r==="")continue;if(s>o)n.push({text:t.slice(o,s)});n.push({kind:Object.keys(i).find((l)=>i[l]!==void 0),text:r}),o=s+r.length}if(o<t.length)n.push({text:t.slice(o)});return n}function z(e){return`'${e.replaceAll("'","'\\''")}'`}var D=[408,429,502,503,504];var ft=-(2n**63n),_t=2n**63n-1n,mo=`must be an integer from ${ft} to ${_t}`,Sn=/^(?:0|-?[1-9][0-9]{0,18})$/,vn=/^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/;var dt=/[1-9]/;function mt(e){return e>=ft&&e<=_t}function bn(e){if(!Sn.test(e))return;let t=BigInt(e);return mt(t)?t:void 0}function ht(e){let t=bn(e);if(t!==void 0)return t;let n=vn.exec(e),[,o,r="",s="",i="0"]=n,l=r+s,d=l.search(dt);if(d===-1)return 0n;let _=r.length+Number(i);if(_<=d||_-d>19||dt.test(l.slice(_)))return;let u=BigInt(o+l.slice(d,_).padEnd(_-d,"0"));return mt(u)?u:void 0}class de extends Error{name="JsonSyntaxError"}var gt=64,xn=1000,Ie=34,En=92,wn=32,Tn=57,Ne=/[ \n\r\t]*/y,St="\\u0000-\\u001F",yt=new RegExp(`[${St}]`,"g"),An=new RegExp(`[\\\\${St}]`),pe=/-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;function vt(e,t=Number.POSITIVE_INFINITY){let n=0,o=-1;function r(f){throw new de(`is not valid JSON: ${f} at character ${n+1}`)}function s(){if(e.charCodeAt(n)>wn)return;Ne.lastIndex=n,Ne.test(e),n=Ne.lastIndex}function i(f){if(!e.startsWith(f,n))return!1;return n+=f.length,!0}function l(){let f=n;if(n=e.indexOf('"',f+1),d(n))n=_(n+1);if(n===-1)u(f,e.length,"a string has no end");n++;let p=e.slice(f+1,n-1);if(!An.test(p))return p;try{return JSON.parse(e.slice(f,n))}catch{return u(f,n,"a string has an invalid escape")}}function d(f){let p=f;while(e[p-1]==="\\")p--;return(f-p)%2===1}function _(f){for(let p=f;p<e.length;p++){let h=e.charCodeAt(p);if(h===Ie)return p;if(h===En)p++}return-1}function u(f,p,h){if(yt.lastIndex=f,n=yt.exec(e)?.index??p,n<p)r("a string has an unescaped control character");n=p,r(h)}function m(){if(pe.lastIndex=n,!pe.test(e))r("expected a value");let f=e.slice(n,pe.lastIndex);return n=pe.lastIndex,ht(f)??(f.length>xn?Number.NaN:Number(f))}function g(f){let p=[];if(s(),i("]"))return p;do p.push(y(f));while(i(","));if(!i("]"))r('expected "," or "]"');return p}function a(f){let p=Object.create(null);if(s(),i("}"))return p;do{if(s(),e.charCodeAt(n)!==Ie)r("expected the name of a field in double quotes");let h=n,b=l();if(b in p)n=h,r("a field is repeated");if(s(),!i(":"))r('expected ":"');p[b]=y(f)}while(i(","));if(!i("}"))r('expected "," or "}"');return p}function y(f){if(f>gt)throw new de(`is nested deeper than ${gt} levels`);if(++o>t)throw new de(`has more than ${t} values`);s();let p,h=e.charCodeAt(n);if(h===Ie)p=l();else if(h<=Tn)p=m();else if(i("{"))p=a(f+1);else if(i("["))p=g(f+1);else if(i("true"))p=!0;else if(i("false"))p=!1;else if(i("null"))p=null;else r("expected a value");return s(),p}let x=y(1);if(n<e.length)r("expected the end");return x}function fe(e,t){return JSON.stringify(e,(o,r)=>typeof r==="bigint"?JSON.rawJSON(String(r)):r,t)}function A({baseUrl:e,path:t,values:n}){let o=t.replace(/\{(\w+)\}/g,(s,i)=>encodeURIComponent((n.path[i]??"").toWellFormed())),r=new URLSearchParams(n.query);return`${e}${o}${r.size>0?`?${r}`:""}`}function P({values:e,otherBody:t}){return t??(e.body&&fe(e.body))}function N(e){let t=Object.entries(e.values.header);if(P(e)!==void 0)t.push(["Content-Type","application/json"]);return t}function bt(e){return`npm install ${e.slice(0,-Y.length)}${pt}`}var Et={id:"curl",title:"curl",request:(e)=>xt(e,"-i --fail-with-body"),pageLoop:(e)=>`url=${z(A(e))}
while [ -n "$url" ]; do
  curl -sS --fail-with-body -D headers.txt -w '\\n' "$url" \\
    -H "Authorization: Bearer $ANIMAL_STORE_API_KEY" || break
  url=$(sed -n 's/^[Ll]ink: <\\([^>]*\\)>; rel="next".*/\\1/p' headers.txt)
done`,retryLoop:(e)=>`send() {
  ${xt(e,"-isS -m 30 -w '\\n%{http_code}'","    ")}
}

for attempt in 0 1 2 3 4 5; do
  # 000 without a complete response
  response=$(send) && code=\${response##*[!0-9]} || code=000
  case $code in 000 | ${D.join(" | ")}) ;; *) break ;; esac
  after=$(printf '%s' "$response" |
    sed -n 's/^[Rr]etry-[Aa]fter: *\\([0-9]*\\).*/\\1/p' | head -n 1)
  [ "\${after:=0}" -le 120 ] && [ $attempt -lt 5 ] || break
  # Retry-After, and a random part of 1, 2, 4, 8, then 16 seconds
  random=$(od -An -N2 -tu2 /dev/urandom)
  sleep "$(awk "BEGIN { print $after + $random / 65536 * 2 ^ $attempt }")"
done
printf '%s\\n' "$response"
[ "\${code%??}" = 2 ]`};function xt(e,t,n="  "){let o=P(e),r=[t,'-H "Authorization: Bearer $ANIMAL_STORE_API_KEY"',...N(e).map(([s,i])=>`-H ${z(`${s}: ${i}`)}`),...o===void 0?[]:[`--data-raw ${z(o)}`]];return[`curl -X ${e.method} ${z(A(e))}`,...r].join(` \\
${n}`)}var X=/^-?(?:0|[1-9][0-9]*)$/,Rn=/[\u007f-\u009f\u00ad\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;function k(e){return JSON.stringify(e).replace(Rn,(t)=>`\\u${t.charCodeAt(0).toString(16).padStart(4,"0")}`)}function T(e){return`'${k(e).slice(1,-1).replaceAll("\\\"",'"').replaceAll("'","\\'")}'`}var _e={id:"fetch",title:"JavaScript",request:(e)=>`const response = await ${wt(e)};

// JSON.parse would round ids beyond 2^53.
const text = await response.text();
console.log(response.status, text);
if (!response.ok) throw new Error(JSON.parse(text).code);`,pageLoop:(e)=>`let url = ${T(A(e))};
while (url !== undefined) {
  const response = await fetch(url, {
    headers: { Authorization: \`Bearer \${process.env.ANIMAL_STORE_API_KEY}\` },
  });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  console.log(text);
  const link = response.headers.get('Link');
  url = /<([^>]*)>; rel="next"/.exec(link)?.[1];
}`,retryLoop:(e)=>`const send = () => ${wt(e,`  signal: AbortSignal.timeout(30_000),
`)};

for (let attempt = 0; ; attempt++) {
  let failure;
  let wait = 0;
  try {
    const response = await send();
    wait = parseInt(response.headers.get('Retry-After')) || 0;
    const text = await response.text();
    console.log(response.status, text);
    if (response.ok) break;
    failure = new Error(text);
    const retried = [${D.join(", ")}];
    if (!retried.includes(response.status)) wait = Infinity;
  } catch (error) {
    failure = error; // no complete response
  }
  if (wait > 120 || attempt === 5) throw failure;
  // Retry-After, and a random part of 1, 2, 4, 8, then 16 seconds
  const seconds = wait + Math.random() * 2 ** attempt;
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}`};function wt(e,t=""){let n=P(e),o=N(e).map(([r,s])=>`    ${T(r)}: ${T(s)},
`);return`fetch(${T(A(e))}, {
  method: '${e.method}',
  headers: {
    Authorization: \`Bearer \${process.env.ANIMAL_STORE_API_KEY}\`,
${o.join("")}  },
${n===void 0?"":`  body: ${T(n)},
`}${t}})`}var Rt={id:"go",title:"Go",request:(e)=>`package main

import (
${Tt(e,"fmt io log net/http os")})

func main() {
${At(e,"http.DefaultClient","log.Fatal(err)")}	if response.StatusCode >= 300 {
		log.Fatalln(response.Status, string(body))
	}
	fmt.Println(response.Status, string(body))
}`,pageLoop:(e)=>`package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"regexp"
)

var next = regexp.MustCompile(\`<([^>]*)>; rel="next"\`)

func main() {
	url := ${k(A(e))}
	for url != "" {
		request, err := http.NewRequest("GET", url, nil)
		if err != nil {
			log.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer "+os.Getenv("ANIMAL_STORE_API_KEY"))
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			log.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil {
			log.Fatal(err)
		}
		if response.StatusCode >= 300 {
			log.Fatalln(response.Status, string(body))
		}
		fmt.Println(string(body))

		url = ""
		if link := next.FindStringSubmatch(response.Header.Get("Link")); link != nil {
			url = link[1]
		}
	}
}`,retryLoop:(e)=>`package main

import (
${Tt(e,"errors fmt io log math math/rand net/http os strconv time")})

var client = http.Client{Timeout: 30 * time.Second}

func main() {
	for attempt := 0; ; attempt++ {
		wait, err := send()
		if err == nil {
			return
		}
		if wait > 120 || attempt == 5 {
			log.Fatal(err)
		}
		// Retry-After, and a random part of 1, 2, 4, 8, then 16 seconds
		wait += rand.Float64() * math.Pow(2, float64(attempt))
		time.Sleep(time.Duration(wait * float64(time.Second)))
	}
}

// Returns an error with the seconds to wait before the next attempt.
func send() (wait float64, err error) {
${At(e,"client","return wait, err",Cn)}	fmt.Println(response.Status, string(body))
	if response.StatusCode < 300 {
		return 0, nil
	}
	switch response.StatusCode {
	case ${D.join(", ")}:
		return wait, errors.New(response.Status)
	}
	return math.Inf(1), errors.New(response.Status)
}`};function Tt(e,t){return(P(e)===void 0?t:`${t} strings`).split(" ").sort().map((o)=>`	"${o}"
`).join("")}var Cn=`	wait, _ = strconv.ParseFloat(response.Header.Get("Retry-After"), 64)
`;function At(e,t,n,o=""){let r=P(e),s=N(e).map(([i,l])=>`	request.Header.Set(${k(i)}, ${k(l)})
`);return`	request, err := http.NewRequest(
		"${e.method}",
		${k(A(e))},
		${r===void 0?"nil":`strings.NewReader(${Pn(r)})`},
	)
	if err != nil {
		${n}
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("ANIMAL_STORE_API_KEY"))
${s.join("")}
	response, err := ${t}.Do(request)
	if err != nil {
		${n}
	}
	defer response.Body.Close()
${o}
	body, err := io.ReadAll(response.Body)
	if err != nil {
		${n}
	}
`}function Pn(e){let t=k(e);return/[`\r]/.test(e)||/\\u/.test(t)?t:`\`${e}\``}var Pt={id:"python",title:"Python",request:(e)=>`import json
import os
import urllib.error
import urllib.request

${Ct(e)}

try:
    with urllib.request.urlopen(request) as response:
        print(response.status, json.load(response))
except urllib.error.HTTPError as error:
    problem = json.load(error)
    raise SystemExit(f"{error.code} {problem['code']}: {problem['message']}")`,pageLoop:(e)=>`import json
import os
import re
import urllib.error
import urllib.request

url = ${k(A(e))}
headers = {"Authorization": f"Bearer {os.environ['ANIMAL_STORE_API_KEY']}"}
while url:
    request = urllib.request.Request(url, headers=headers)
    try:
        with urllib.request.urlopen(request) as response:
            for pet in json.load(response):
                print(pet)
            link = response.headers.get("Link", "")
    except urllib.error.HTTPError as error:
        raise SystemExit(f"{error.code} {error.read().decode()}")
    following = re.search('<([^>]*)>; rel="next"', link)
    url = following and following[1]`,retryLoop:(e)=>`import http.client
import json
import os
import random
import time
import urllib.error
import urllib.request

${Ct(e)}

for attempt in range(6):
    wait = 0
    try:
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                print(response.status, json.load(response))
                break
        except urllib.error.HTTPError as error:
            after = error.headers.get("Retry-After", "")
            wait = int(after) if after.isdecimal() else 0
            failure = f"{error.code} {error.read().decode(errors='replace')}"
            if error.code not in (${D.join(", ")}):
                raise SystemExit(failure)
    except (OSError, http.client.HTTPException) as error:
        failure = f"No complete response: {error}"
    if wait > 120 or attempt == 5:
        raise SystemExit(failure)
    # Retry-After, and a random part of 1, 2, 4, 8, then 16 seconds
    time.sleep(wait + random.random() * 2**attempt)`};function Ct(e){let t=P(e),n=N(e).map(([o,r])=>`        ${k(o)}: ${k(r)},
`);return`request = urllib.request.Request(
    ${k(A(e))},
    method="${e.method}",
    headers={
        "Authorization": f"Bearer {os.environ['ANIMAL_STORE_API_KEY']}",
${n.join("")}    },
${t===void 0?"":`    data=${T(t)}.encode(),
`})`}var kt={id:"int64",name:"text",categoryId:"int64",status:"text"};var Nt={id:"typescript",title:"TypeScript",request:$t,pageLoop:({baseUrl:e})=>`${Ot(e)}

// Requests the next page when the loop gets there.
for await (const pet of store.pets({ pageSize: 100 })) console.log(pet);`,retryLoop:(e)=>`// The client waits, backs off and repeats for you.
${$t(e)}`};function $t(e){let{operation:t,baseUrl:n,values:o,otherBody:r}=e;if(r!==void 0)return`// The client sends only pets. Other JSON needs fetch.
${_e.request(e)}`;return`${Ot(n)}

${kn[t](o)}`}function Ot(e){return`// ${bt(e)}
import { AnimalStore } from '@animal-store/client';

// The client reads the key from ANIMAL_STORE_API_KEY.
const store = new AnimalStore({ baseUrl: ${T(e)} });`}var kn={listPets({query:e}){return`const page = await store.listPets(${It(e,(n,o)=>$n[n](o))});
console.log(page.pets);`},createPet({body:e={},header:t}){let n=It(e,In),o=t["Idempotency-Key"],r=o===void 0?"":`, { idempotencyKey: ${T(o)} }`;return`const pet = await store.createPet(${n}${r});
console.log(pet);`},getPet:({path:e})=>`// Uses getPet until its removal, and the list afterwards.
const pet = await store.findPet(${Lt(e.petId??"")});
console.log(pet); // undefined if there is none`},$n={limit:(e)=>X.test(e)?e:T(e),status:T,after:Lt};function Lt(e){return X.test(e)?`${e}n`:T(e)}function In(e,t){if(typeof t==="string")return T(t);return kt[e].startsWith("int64")?`${t}n`:`${t}`}function It(e,t){let n=Object.entries(e).map(([o,r])=>`  ${o}: ${t(o,r)},
`);return n.length===0?"":`{
${n.join("")}}`}var me=[Et,Nt,_e,Pt,Rt];class Q extends EventTarget{#t;#e;constructor(e,t){super();this.#e=Mt(()=>e().getItem(t))??"",this.#t=(n)=>Mt(()=>e().setItem(t,n))}get value(){return this.#e}set(e){this.#e=e,this.#t(e),this.dispatchEvent(new Event("change"))}}function he(e,t){let[n,o]=C(t);return j(()=>{let r=()=>o(e.value);e.addEventListener("change",r),r()},[e]),n}function Mt(e){try{return e()}catch{return}}var G=new Q(()=>sessionStorage,"animal-store.key");function qt(){let e=he(G,"");return c("input",{type:"password",autocomplete:"off","aria-label":"API key",title:"Kept until the tab closes",placeholder:"API key: ask_…",value:e,onInput:({currentTarget:t})=>G.set(Nn(t.value))})}function Nn(e){return e.replace(/^\s*Bearer\s|\s/gi,"")}var On=["bad","neutral","good","info","warning","bad"];function Dt({status:e,title:t}){return c("span",{class:`badge status ${On[Math.floor(e/100)]}`,children:t??e})}function Ht({outcome:e,isSending:t}){let{title:n,status:o=0,note:r,body:s,headers:i,errorCode:l}=e;return c("div",{class:"response","aria-busy":t,children:[c("div",{class:"line",children:[c("span",{role:"status",children:t?"Sending…":c(I,{children:[c(Dt,{status:o,title:n})," ",c("span",{class:"note",children:r})]})}),s&&c(ce,{what:"response"})]}),l!==void 0&&c("p",{class:"error-code",children:["Error"," ",c("a",{href:`.${lt}#${l}`,children:c("code",{children:l})}),": what it means and what to do"]}),s&&c(K,{language:"json",code:Ln(s)}),i!==void 0&&c("details",{children:[c("summary",{children:["Headers ",c("span",{class:"note",children:i.length})]}),c(K,{language:"http",code:i.map(([d,_])=>`${d}: ${_}`).join(`
`)})]})]})}function Ln(e){try{return fe(vt(e),2)}catch{return e}}var Mn=/#(\w+)>; rel="help"/,qn=/[?&]after=(-?\d+)[^>]*>; rel="next"/;function Ut(e){let[t,n]=C(e),[o,r]=C(!1),s=ue(void 0);return{outcome:t,isSending:o,sendOrCancel:async(l)=>{if(s.current!==void 0)return s.current.abort();s.current=new AbortController,r(!0);let{signal:d}=s.current;await Un(l(),d),n(await Bt(l(),d)),r(!1),s.current=void 0}}}async function Bt(e,t){let{method:n}=e,o=N(e);if(G.value!=="")o.push(["Authorization",`Bearer ${G.value}`]);let r=performance.now();if(o.some(([,s])=>/[^\x20-\x7e]/.test(s)))return{title:"Not sent",note:Dn};try{let s=await fetch(A(e),{method:n,headers:o,signal:t,body:P(e)??null,cache:"no-store",credentials:"omit"}),i=await Fn(s,r);if(s.ok)Bn(n==="POST",i.body);return i}catch(s){if(!t.aborted)return{title:"No response",note:`${Hn} ${s}`};return{title:"Canceled",note:n==="GET"?"":"The service may have processed the request already."}}}var Dn="A header may contain only ASCII characters. Check your API key.",Hn="The service cannot be reached from this page. Check your connection and the headers.",ge="nothing",Ft=()=>document.querySelector("[data-place=path]");async function Un(e,t){let[n="",o]=e.path.split("/{"),r=Ft(),s=ge==="nothing"&&r?.value===r?.defaultValue;if(o===void 0||!s||G.value==="")return;ge="listed",await Bt({...e,path:n,values:{path:{},query:{limit:"1"},header:{}}},t)}function Bn(e,t){let[,n]=/"id":(-?\d+)/.exec(t)??[],o=Ft();if(n===void 0||o===null||ge==="added"&&!e)return;ge=e?"added":"listed",o.defaultValue=n,o.dispatchEvent(new Event("input",{bubbles:!0}))}async function Fn(e,t){let{status:n,statusText:o,headers:r}=e,s=await e.text(),i=r.get("Link")??"";return{title:`${n} ${o}`.trim(),status:n,note:`${Math.round(performance.now()-t)} ms${jn(r)}`,body:s,headers:[...r],nextAfter:qn.exec(i)?.[1],errorCode:Mn.exec(i)?.[1]}}function jn(e){let[t,n,o]=["Limit","Remaining","Reset"].map((s)=>e.get(`X-RateLimit-${s}`));if(!o)return"";let r=new Date(Number(o)*1000).toLocaleTimeString("en-GB");return`, ${n} of ${t} requests left until ${r}`}function Vt({id:e,request:t,example:n}){let o=ue(null),[r,s]=C(t),{outcome:i,isSending:l,sendOrCancel:d}=Ut(n),{nextAfter:_}=i;j(()=>{let m=o.current?.closest("form");if(!m)return;let g=()=>s(Gt(m,t));m.addEventListener("input",g),m.addEventListener("submit",(a)=>{a.preventDefault(),g(),d(()=>Gt(m,t))}),g()},[]);let u=()=>{let m=o.current?.closest("form"),g=m?.querySelector("[name=after]");if(!m||!g)return;g.value=_??"",m.requestSubmit()};return c("div",{class:"panel",ref:o,children:[c(Wt,{codeOf:(m)=>m.request(r)}),c("div",{class:"line send needs-script",children:[c("button",{type:"submit",onClick:(m)=>m.detail>1&&m.preventDefault(),children:[l?"Cancel":"Send",c("span",{class:"hidden",children:[" ",r.operation]})]}),c(qt,{})]}),c(Ht,{outcome:i,isSending:l}),e===r.operation&&_!==void 0&&c("p",{children:c("button",{type:"button",class:"secondary",onClick:u,children:"Next page"})})]})}function Jt({loop:e,request:t}){let[n,o]=C(t.baseUrl);return j(()=>o(Yt()),[]),c("div",{class:"panel",children:c(Wt,{codeOf:(r)=>r[e]({...t,baseUrl:n})})})}var jt=new Q(()=>localStorage,"animal-store.language");function Wt({codeOf:e}){let t=he(jt,""),n=me.find(({id:o})=>o===t)??me[0];return c(I,{children:[c("div",{class:"line needs-script",children:[c("select",{"aria-label":"Language",value:n.id,onChange:({currentTarget:o})=>jt.set(o.value),children:me.map(({id:o,title:r})=>c("option",{value:o,children:r},o))}),c(ce,{})]}),c(K,{language:n.id,code:e(n)})]})}function Gt(e,t){let n=structuredClone(t.values);for(let{name:r,value:s,inputMode:i,dataset:l}of e.querySelectorAll("[data-place]")){let d=n[l.place]??{},_=s.trim(),u=d===n.body,m=u&&i==="numeric"&&X.test(_),g=u&&l.type==="boolean";if(d[r]=m?BigInt(_):g?_==="true":_,_==="")delete d[r]}let o=e.querySelector("details[open] textarea")?.value.toWellFormed()||void 0;return{...t,baseUrl:Yt(),values:n,otherBody:o}}function Yt(){return location.origin+new URL(`..${Y}`,import.meta.url).pathname}function Kt({root:e}){let[t,n]=C(""),[o,r]=C(),[s,i]=C("Loading…");j(Wn,[]);let l=async()=>{try{let u=o??await Jn(e);r(()=>u)}catch{i("Search is not available. Reload the page to try again.")}},d=o?.(t)??[],_=()=>{n(""),document.activeElement.blur()};return c("search",{class:"search needs-script",onKeyDown:(u)=>u.key==="Escape"?_():Gn(u),children:[c("input",{id:"search",type:"search","aria-label":"Search the documentation","aria-keyshortcuts":"/",placeholder:"Search",autocomplete:"off",spellcheck:!1,value:t,onInput:({currentTarget:u})=>n(u.value),onFocus:l}),c("div",{class:"search-list",hidden:t==="",children:[d.map(({title:u,place:m,text:g,href:a})=>c("a",{href:e+a,tabIndex:0,onClick:_,children:[c("b",{children:u}),c("span",{class:"note",children:m}),c("span",{class:"search-text note",children:g})]},a)),c("p",{role:"status",class:"note",children:o===void 0?s:Vn(d)})]})]})}function Gn(e){let t=[...e.currentTarget.querySelectorAll("input, a")],n=t.indexOf(e.target);if(e.key==="ArrowDown")t[(n+1)%t.length]?.focus();else if(e.key==="ArrowUp")t.at(n-1)?.focus();else if(e.key==="Enter"&&n===0)t[1]?.click();else return;e.preventDefault()}function Vn({length:e}){return e===1?"1 result":`${e||"No"} results`}async function Jn(e){let t=(r)=>new URL(e+r.slice(1),location.href).href,[{newSearch:n},o]=await Promise.all([import(t(ct)),fetch(t(ut))]);return n(await o.json())}function Wn(){let e=document.getElementById("search");if(matchMedia("(hover: hover)").matches)e.placeholder="Type / to search";document.addEventListener("keydown",(t)=>{let{key:n,ctrlKey:o,metaKey:r,altKey:s,target:i}=t;if(n!=="/"||o||r||s)return;if(i instanceof Element&&i.matches("input, select, textarea"))return;t.preventDefault(),e.focus()})}var Yn={"code-panel":Vt,"loop-panel":Jt,"search-box":Kt};function zt(){for(let e of document.querySelectorAll("[data-island]")){let{island:t,props:n="{}"}=e.dataset,o=Yn[t];Ke(c(o,{...JSON.parse(n)}),e)}}function Xt(e){let t=new Map,n=new IntersectionObserver((o)=>{for(let{target:r,isIntersecting:s}of o){let i=t.get(r);if(i?.removeAttribute("aria-current"),i===void 0||!s)continue;i.setAttribute("aria-current","location"),Kn(e,i)}},{rootMargin:"-20% 0px -80%"});for(let o of e.querySelectorAll("li a")){let r=document.getElementById(o.hash.slice(1));if(r===null||o.pathname!==location.pathname)continue;t.set(r,o),n.observe(r)}}function Kn(e,t){let n=e.getBoundingClientRect(),o=t.getBoundingClientRect().top-(n.top+n.height/2);if(Math.abs(o)>n.height/4)e.scrollTop+=o}function Qt(e){e.addEventListener("click",({target:t})=>{if(t instanceof Element&&t.closest("a")!==null&&e.matches(":popover-open"))e.hidePopover()})}var zn=2000;zt();Xn();var Oe=document.getElementById("navigation");if(Oe!==null)Xt(Oe),Qt(Oe);function Xn(){document.addEventListener("click",async({target:e})=>{let t=e instanceof Element?e.closest(".copy"):null,n=t?.closest(":has(pre)")?.querySelector("pre"),o=t?.firstChild;if(!n||!o)return;await Qn(n),o.nodeValue="Copied",setTimeout(()=>{o.nodeValue="Copy"},zn)})}async function Qn(e){try{await navigator.clipboard.writeText(e.innerText)}catch{getSelection()?.selectAllChildren(e),document.execCommand("copy")}}
